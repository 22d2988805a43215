package dev.spillway.benchmarks.calibrate;

import dev.spillway.benchmarks.Arguments;
import dev.spillway.console.size.LambdaPrice;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code ./spillway calibrate}: which bcrypt cost suits this machine. */
public final class Calibrate {
  private static final String HELP =
      """
      usage: ./spillway calibrate [--latency MILLIS] [--logins-per-second N]

      Recommends a bcrypt cost for this machine: the highest at which a hash stays under the latency
      while the whole pool is busy, and the pool reaches the logins a second. Tries costs upwards or
      downwards from 10; a minute at most on most machines. Run it while the machine is idle.

        --latency MILLIS        a hash under load is to stay under this (500)
        --logins-per-second N   the whole pool is to serve this many without spilling (1)
        --threads N             hashing threads (every core)
        --help                  this
      """;

  private Calibrate() {}

  /** Prints progress on stderr, a table and one line of JSON on stdout; exits 2 on misuse. */
  public static void main(String[] args) {
    Duration latency = Duration.ofMillis(500);
    double loginsPerSecond = 1;
    int threads = Runtime.getRuntime().availableProcessors();
    Arguments arguments = new Arguments(args);
    try {
      while (arguments.hasNext()) {
        switch (arguments.next()) {
          case "--help", "-h" -> {
            System.out.print(HELP);
            return;
          }
          case "--latency" -> latency = Duration.ofMillis((long) arguments.decimal(1, 60_000));
          case "--logins-per-second" -> loginsPerSecond = arguments.decimal(0.001, 1e6);
          case "--threads" -> threads = arguments.number(1, 1024);
          default -> throw arguments.unknown();
        }
      }
    } catch (IllegalArgumentException e) {
      System.err.println("calibrate: " + e.getMessage() + "\n");
      System.err.print(HELP);
      System.exit(2);
    }
    run(latency, loginsPerSecond, threads);
  }

  private static void run(Duration latency, double loginsPerSecond, int threads) {
    System.err.println("Choosing lanes");
    LaneChoice.Finding lanes = LaneChoice.measured(threads);
    System.err.println("  " + lanes.why());
    ThisMachine machine =
        new ThisMachine(Engines.proven(lanes.lanes(), System.err::println), threads);
    System.err.println("Warming up");
    machine.warmUp();
    Search search =
        new Search(
            machine,
            latency,
            loginsPerSecond,
            figures -> System.err.printf("  cost %d measured%n", figures.cost()));
    Optional<Machine.Figures> best = search.best();

    System.out.println(
        "cost | one hash alone | under load (p90) | logins/s, whole pool | logins/$ spilled");
    for (Machine.Figures figures : search.measured()) {
      System.out.println(row(figures, best.isPresent() && figures == best.get()));
    }
    System.out.println(
        best.map(
                figures ->
                    "Recommended: spillway.hashing.cost=%d (a hash under load below %d ms, at least %s logins/s)"
                        .formatted(figures.cost(), latency.toMillis(), plain(loginsPerSecond)))
            .orElse(
                "No cost meets both targets on this machine: use more cores, or let it spill."));
    if (best.isPresent() && best.get().cost() < 10) {
      System.out.println("Below 10 a stolen table is cheap to attack; consider spilling instead.");
    }
    System.out.println(
        "(logins/$: arm64 at list price, as if a vCPU there were as fast as a core here)");
    System.out.println(json(search, best, lanes, threads));
    if (best.isEmpty()) {
      System.exit(1);
    }
  }

  private static String row(Machine.Figures figures, boolean best) {
    return String.format(
        Locale.ROOT,
        "%4d | %11.1f ms | %13.1f ms | %20.2f | %,16.0f%s",
        figures.cost(),
        millis(figures.alone()),
        millis(figures.underLoad()),
        figures.hashesPerSecond(),
        LambdaPrice.ARM64.loginsPerDollar(figures.alone()),
        best ? "  <-" : "");
  }

  private static String json(
      Search search, Optional<Machine.Figures> best, LaneChoice.Finding lanes, int threads) {
    String costs =
        search.measured().stream()
            .map(
                figures ->
                    String.format(
                        Locale.ROOT,
                        "{\"cost\":%d,\"aloneMillis\":%.2f,\"underLoadP90Millis\":%.2f,"
                            + "\"loginsPerSecond\":%.3f}",
                        figures.cost(),
                        millis(figures.alone()),
                        millis(figures.underLoad()),
                        figures.hashesPerSecond()))
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"benchmark\":\"calibrate\",\"recommended\":%s,\"lanes\":%d,\"threads\":%d,\"costs\":[%s],"
            + "\"setting\":%s}",
        best.map(figures -> Integer.toString(figures.cost())).orElse("null"),
        lanes.lanes(),
        threads,
        costs,
        dev.spillway.benchmarks.Surroundings.here().json());
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
