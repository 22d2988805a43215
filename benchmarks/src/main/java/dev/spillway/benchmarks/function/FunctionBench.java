package dev.spillway.benchmarks.function;

import dev.spillway.benchmarks.Arguments;
import dev.spillway.benchmarks.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What the function costs for each lane count, in each build there is: time of a call with one to
 * four jobs, and what that comes to for one digest.
 */
public final class FunctionBench {
  private static final String HELP =
      """
      usage: ./spillway bench function [--native ZIP] [--cost N] [--quick]

      Calls the function's package under local-lambda with one to four digests at a time, builds
      alternating. CPU time is the process's own.

        --native ZIP   a package with a native bootstrap, to be held against the JVM's
        --cost N       bcrypt cost (10)
        --quick        5 rounds instead of 15
        --help         this
      """;
  private static final int[] JOBS = {1, 2, 3, 4};
  private static final int WARM_UP = 12;

  private FunctionBench() {}

  public static void main(String[] args) throws Exception {
    Path home = Path.of(System.getenv().getOrDefault("SPILLWAY_HOME", "."));
    Path nativePackage = null;
    int cost = 10;
    int rounds = 15;
    Arguments arguments = new Arguments(args);
    try {
      while (arguments.hasNext()) {
        switch (arguments.next()) {
          case "--help", "-h" -> {
            System.out.print(HELP);
            return;
          }
          case "--native" -> nativePackage = Path.of(arguments.value());
          case "--cost" -> cost = arguments.number(4, 15);
          case "--quick" -> rounds = 5;
          default -> throw arguments.unknown();
        }
      }
    } catch (IllegalArgumentException e) {
      misuse(e.getMessage());
    }
    List<Deployed> builds = new ArrayList<>();
    Path template = home.resolve("template.yaml");
    try {
      builds.add(Deployed.of("jvm", template, home.resolve("hash-lambda/target/function.zip")));
      if (nativePackage != null) {
        if (!Files.exists(nativePackage)) {
          misuse("there is no " + nativePackage);
        }
        builds.add(Deployed.of("native", template, nativePackage));
      }
      run(builds, cost, rounds);
    } finally {
      builds.forEach(Deployed::close);
    }
  }

  private static void run(List<Deployed> builds, int cost, int rounds)
      throws IOException, InterruptedException {
    StringBuilder json = new StringBuilder();
    double[][][] millis = new double[builds.size()][JOBS.length][rounds];
    double[][][] cpu = new double[builds.size()][JOBS.length][rounds];
    double[] first = new double[builds.size()];
    long[] small = new long[builds.size()];
    for (int b = 0; b < builds.size(); b++) {
      first[b] = builds.get(b).call(1, 4) / 1e6;
      small[b] = builds.get(b).residentMegabytes();
      System.err.printf("%s: first call %.0f ms, warming up%n", builds.get(b).name(), first[b]);
      for (int i = 0; i < WARM_UP; i++) {
        builds.get(b).call(JOBS[i % JOBS.length], cost);
      }
    }
    for (int round = 0; round < rounds; round++) {
      System.err.printf("round %d of %d%n", round + 1, rounds);
      for (int j = 0; j < JOBS.length; j++) {
        for (int k = 0; k < builds.size(); k++) {
          int b = round % 2 == 0 ? k : builds.size() - 1 - k;
          long before = builds.get(b).cpuNanos();
          millis[b][j][round] = builds.get(b).call(JOBS[j], cost) / 1e6;
          cpu[b][j][round] = (builds.get(b).cpuNanos() - before) / 1e6;
        }
      }
    }
    System.out.println(
        "build  | digests | call p50, ms | CPU for each digest, ms | against 1 at a time");
    for (int b = 0; b < builds.size(); b++) {
      Deployed build = builds.get(b);
      for (int j = 0; j < JOBS.length; j++) {
        double each = median(cpu[b][j]) / JOBS[j];
        System.out.printf(
            Locale.ROOT,
            "%-6s | %7d | %12.1f | %23.1f | %.2f%n",
            build.name(),
            JOBS[j],
            median(millis[b][j]),
            each,
            median(cpu[b][0]) / each);
        json.append(json.isEmpty() ? "" : ",")
            .append(
                String.format(
                    Locale.ROOT,
                    "{\"build\":\"%s\",\"digests\":%d,\"callMillisP50\":%.2f,\"cpuMillisEach\":%.2f}",
                    build.name(),
                    JOBS[j],
                    median(millis[b][j]),
                    each));
      }
      System.out.printf(
          "%-6s | first call %.0f ms, %d MB resident after it, %d MB in the end%n",
          build.name(), first[b], small[b], build.residentMegabytes());
    }
    System.out.printf(
        "{\"benchmark\":\"function\",\"cost\":%d,\"rounds\":%d,\"figures\":[%s],\"setting\":%s}%n",
        cost, rounds, json, Surroundings.here().json());
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void misuse(String why) {
    System.err.println("bench function: " + why + "\n");
    System.err.print(HELP);
    System.exit(2);
  }
}
