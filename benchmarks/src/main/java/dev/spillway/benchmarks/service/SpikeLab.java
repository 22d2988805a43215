package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code ./spillway spike}: every contender under the same spike, and a report about it. */
public final class SpikeLab {
  private static final int MISUSE = 2;
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private SpikeLab() {}

  /** Takes the options that {@code --help} lists. */
  public static void main(String... args) throws IOException, InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.print(SpikeOptions.HELP);
      return;
    }
    SpikeOptions options;
    Optional<SpikeHistory> before;
    try {
      options = SpikeOptions.parse(args);
      before = SpikeHistory.read(options.compare());
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; --help says more");
      System.exit(MISUSE);
      return;
    }
    System.exit(run(options, before) ? 0 : 1);
  }

  private static boolean run(SpikeOptions options, Optional<SpikeHistory> before)
      throws IOException, InterruptedException {
    Progress.say("hashing passwords");
    SpikeUsers users = SpikeUsers.make(options.cost());
    SpikeShape shape = options.shape(naivePerSecond(options));
    Progress.say(
        "%.1f logins/s before and after the spike, %.0f in it",
        shape.baseline(), SpikeShape.FACTOR * shape.baseline());
    List<SpikeResult> results = new ArrayList<>();
    for (SpikeContender contender : options.contenders()) {
      results.add(SpikeRun.of(contender, shape, users, options));
    }
    SpikeReport report = new SpikeReport(options, shape, results, Surroundings.here(), before);
    Files.createDirectories(options.out());
    Files.writeString(options.out().resolve("report.html"), report.html());
    Files.writeString(options.out().resolve("report.json"), report.json() + "\n");
    System.out.println(report.text());
    System.out.println("report: " + options.out().resolve("report.html"));
    return results.stream().allMatch(result -> result.faults().isEmpty());
  }

  /** What the naive service answers when it always has just enough to do. */
  private static double naivePerSecond(SpikeOptions options)
      throws IOException, InterruptedException {
    Progress.say("how much the naive service can take");
    try (Site site = new Site();
        Service naive = Launch.naive(site, "naive", options.cost(), List.of());
        Load<Attempt> load = Load.closedLoop(2 * CORES, naive::login)) {
      load.run(options.warmUp().dividedBy(2));
      long start = System.nanoTime();
      load.run(options.warmUp().dividedBy(2));
      Window window = new Window(start, System.nanoTime());
      load.close();
      double perSecond =
          load.results().stream()
                  .filter(one -> one.granted() && window.holds(one.endNanos()))
                  .count()
              / window.seconds();
      return Math.max(perSecond, 1);
    }
  }
}
