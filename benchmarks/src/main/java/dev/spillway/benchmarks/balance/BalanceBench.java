package dev.spillway.benchmarks.balance;

import dev.spillway.benchmarks.Arguments;
import dev.spillway.benchmarks.balance.Setting.Odd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Which way of choosing a worker is best, and what happens when a worker is slow or fails. */
public final class BalanceBench {
  private static final String HELP =
      """
      Simulates Rob Pike's load balancer demo: 100 requesters, 10 workers, random times.

        --quick     a tenth of the simulated time
        --seed N    of all randomness (1); the same seed gives the same figures
        --out FILE  also write the tables there; a bare name goes to benchmarks/results/
        --help      this
      """;

  private static final double MILLIS = 4_000_000;
  private static final int MISUSE = 2;

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("Equal workers", Odd.NOT, 1, 1),
          new Setting("One worker ten times slower", Odd.TEN_TIMES_SLOWER, 1, 1),
          new Setting("One worker fails in a millisecond", Odd.FAILS_IN_A_MILLISECOND, 1, 1),
          new Setting("Equal workers, 5 instances", Odd.NOT, 5, 1),
          new Setting("Equal workers, 25 instances", Odd.NOT, 25, 1),
          new Setting("One worker ten times slower, 5 instances", Odd.TEN_TIMES_SLOWER, 5, 1),
          new Setting(
              "One worker fails in a millisecond, 5 instances", Odd.FAILS_IN_A_MILLISECOND, 5, 1));

  private BalanceBench() {}

  /** The exit status. */
  public static int run(String... args) throws IOException {
    double millis = MILLIS;
    long seed = 1;
    Path out = null;
    Arguments arguments = new Arguments(args);
    try {
      while (arguments.hasNext()) {
        switch (arguments.next()) {
          case "--help" -> {
            System.out.print(HELP);
            return 0;
          }
          case "--quick" -> millis = MILLIS / 10;
          case "--seed" -> seed = arguments.number(0L, Long.MAX_VALUE);
          case "--out" -> out = arguments.result();
          default -> throw arguments.unknown();
        }
      }
    } catch (IllegalArgumentException e) {
      System.err.print(e.getMessage() + "\n\n" + HELP);
      return MISUSE;
    }
    String tables = tables(millis, seed);
    System.out.print(tables);
    if (out != null) {
      Files.writeString(out, tables);
    }
    return 0;
  }

  private static String tables(double millis, long seed) {
    StringBuilder text =
        new StringBuilder(
            "%d requesters, %d workers, one request at a time each, service 100 ms on average,"
                    .formatted(Setting.REQUESTERS, Setting.WORKERS)
                + " %.0f simulated seconds, seed %d; times in ms\n"
                    .formatted(millis / 1_000, seed));
    for (Setting setting : SETTINGS) {
      System.err.println(setting.name());
      text.append("\n### ").append(setting.name()).append("\n\n");
      text.append(
          "| | pending per worker | variance | mean wait | p50 | p95 | p99 | answers/s | to worker 0"
              + " | failed |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
      for (Policy.Kind kind : Policy.Kind.values()) {
        Simulation.Outcome outcome = new Simulation(setting, kind, seed).run(millis);
        text.append(
            "| %s | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f %% | %.1f %% |\n"
                .formatted(
                    kind.label(),
                    outcome.pendingMean(),
                    outcome.pendingVariance(),
                    outcome.waitMean(),
                    outcome.p50(),
                    outcome.p95(),
                    outcome.p99(),
                    outcome.perSecond(),
                    100 * outcome.firstShare(),
                    100 * outcome.failedShare()));
      }
    }
    return text.toString();
  }
}
