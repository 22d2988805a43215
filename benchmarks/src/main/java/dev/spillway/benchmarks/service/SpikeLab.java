package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** {@code ./spillway spike}: every contender under the same spike, and a report about it. */
public final class SpikeLab {
  private static final int MISUSE = 2;

  private SpikeLab() {}

  /** Takes the options that {@code --help} lists. */
  public static void main(String... args) throws IOException {
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
    boolean sound = false;
    try {
      sound = run(options, before);
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace(); // not thrown on: what still runs would keep this process alive
    }
    System.exit(sound ? 0 : 1);
  }

  private static boolean run(SpikeOptions options, Optional<SpikeHistory> before)
      throws IOException, InterruptedException {
    SpikeBudget budget = options.start();
    Progress.say("hashing passwords");
    SpikeUsers users = SpikeUsers.make(options.cost());
    Deque<SpikeContender> waiting = new ArrayDeque<>(options.contenders());
    List<SpikeResult> results = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    SpikeBudget.Share share = budget.share(waiting.size());
    SpikeShape shape;
    // Whether or not it is wanted: it says how much is a usual load.
    try (SpikeRun naive = SpikeRun.start(SpikeContender.NAIVE, users, options)) {
      shape = options.shape(naive.closedLoopPerSecond());
      Progress.say(
          "%.1f logins/s before and after the spike, %.0f in it",
          shape.baseline(), SpikeShape.FACTOR * shape.baseline());
      if (waiting.remove(SpikeContender.NAIVE)) {
        results.add(naive.measure(shape, share));
      }
    }
    for (; !waiting.isEmpty(); waiting.remove()) {
      SpikeContender contender = waiting.peek();
      if (!budget.allows(SpikeRun.atLeast(contender, options))) {
        leftOut.add(contender.label() + " was left out: the time was over");
        continue;
      }
      share = budget.share(waiting.size());
      try (SpikeRun run = SpikeRun.start(contender, users, options)) {
        results.add(run.measure(shape, share));
      }
    }
    SpikeReport report =
        new SpikeReport(options, shape, results, leftOut, budget, Surroundings.here(), before);
    Files.createDirectories(options.out());
    Files.writeString(options.out().resolve("report.html"), report.html());
    Files.writeString(options.out().resolve("report.json"), report.json() + "\n");
    System.out.println(report.text());
    System.out.println("report: " + options.out().resolve("report.html"));
    return leftOut.isEmpty() && results.stream().allMatch(result -> result.faults().isEmpty());
  }
}
