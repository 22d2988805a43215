package dev.spillway.benchmarks.function;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the function takes for a call, measured under local-lambda.
 *
 * @param build {@code native} or {@code jvm}
 * @param cpuMillis CPU milliseconds of its process for calls with 1, 2, ... digests
 */
public record FunctionTimes(String build, List<Double> cpuMillis) {
  private static final int MOST_JOBS = 4;
  private static final int WARM_UP = 12;

  public FunctionTimes {
    cpuMillis = List.copyOf(cpuMillis);
  }

  /** Measures the native build where {@code ./spillway native-check} left one, else the JVM's. */
  public static FunctionTimes measure(Path home, int cost, int rounds)
      throws IOException, InterruptedException {
    Path built = home.resolve("hash-lambda/target/native/function.zip");
    boolean isNative = Files.exists(built);
    try (Deployed function =
        Deployed.of(
            isNative ? "native" : "jvm",
            home.resolve("template.yaml"),
            isNative ? built : home.resolve("hash-lambda/target/function.zip"))) {
      for (int i = 0; i < WARM_UP; i++) {
        function.call(1 + i % MOST_JOBS, cost);
      }
      double[][] cpu = new double[MOST_JOBS][rounds];
      for (int round = 0; round < rounds; round++) {
        for (int jobs = 1; jobs <= MOST_JOBS; jobs++) {
          long before = function.cpuNanos();
          function.call(jobs, cost);
          cpu[jobs - 1][round] = (function.cpuNanos() - before) / 1e6;
        }
      }
      List<Double> medians = new ArrayList<>();
      for (double[] of : cpu) {
        medians.add(FunctionBench.median(of));
      }
      return new FunctionTimes(function.name(), medians);
    }
  }

  /** As Lambda bills a call on a whole vCPU: begun milliseconds. */
  public long billedMillis(int jobs) {
    return (long) Math.ceil(cpuMillis.get(jobs - 1));
  }
}
