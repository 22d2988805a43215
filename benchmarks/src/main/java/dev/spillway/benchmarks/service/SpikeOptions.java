package dev.spillway.benchmarks.service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What one run of the spike lab does.
 *
 * @param steps how often the load is raised, at most, to find what a contender can take; 0 if not
 *     at all
 */
record SpikeOptions(
    int cost,
    Duration warmUp,
    Duration before,
    Duration spike,
    Duration after,
    int steps,
    Duration stepLength,
    Set<SpikeContender> contenders,
    Path out,
    Optional<Path> compare) {
  static final String HELP =
      """
      usage: ./spillway spike [options]

      Puts the same logins on each contender: a quiet time, ten times as many, a quiet time again;
      then ever more of them until the p99 exceeds 1 s or an answer is not 200. They arrive at random
      moments whether or not others have been answered, at half of what the naive service can take.
      Meanwhile health and keys are probed over new connections. Ends with a report to look at.

        naive    bcrypt on the request's thread, no bound
        pool     Spillway with nowhere to spill to
        local    Spillway spilling to function processes that share this machine's CPU
        remote   Spillway spilling to a simulated function elsewhere

        --quick          five minutes (cost 10)
        --minute         a minute; for invariants, not for figures (cost 8)
        --cost N         bcrypt cost (12)
        --only A,B       these contenders only
        --out DIR        report.html and report.json go there (target/spike)
        --compare FILE   shows what has changed since that report.json
        --help           this

      Exits with 1 if a contender of ours gave an answer other than 200 and 503, or did not give all
      permits back.
      """;

  private static final SpikeOptions FULL =
      new SpikeOptions(
          12,
          Duration.ofSeconds(30),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          30,
          Duration.ofSeconds(8),
          EnumSet.allOf(SpikeContender.class),
          Home.path("target", "spike"),
          Optional.empty());

  boolean stepping() {
    return steps > 0;
  }

  SpikeShape shape(double naivePerSecond) {
    return new SpikeShape(naivePerSecond / 2, before, spike, after);
  }

  /**
   * @throws IllegalArgumentException if {@code args} are not understood
   */
  static SpikeOptions parse(String... args) {
    SpikeOptions options = FULL;
    if (Arrays.asList(args).contains("--quick")) {
      options = FULL.lasting(10, 8, 4, 10, 5, 9, 3);
    } else if (Arrays.asList(args).contains("--minute")) {
      options = FULL.lasting(8, 2, 2, 4, 2, 0, 1);
    }
    Deque<String> rest = new ArrayDeque<>(Arrays.asList(args));
    while (!rest.isEmpty()) {
      options = options.with(rest.remove(), rest);
    }
    return options;
  }

  private SpikeOptions lasting(
      int cost, int warmUp, int before, int spike, int after, int steps, int stepLength) {
    return new SpikeOptions(
        cost,
        Duration.ofSeconds(warmUp),
        Duration.ofSeconds(before),
        Duration.ofSeconds(spike),
        Duration.ofSeconds(after),
        steps,
        Duration.ofSeconds(stepLength),
        contenders,
        out,
        compare);
  }

  private SpikeOptions with(String name, Deque<String> rest) {
    return switch (name) {
      case "--quick", "--minute" -> this;
      case "--cost" -> with(cost(value(name, rest)), contenders, out, compare);
      case "--only" -> with(cost, contenders(value(name, rest)), out, compare);
      case "--out" -> with(cost, contenders, Path.of(value(name, rest)), compare);
      case "--compare" ->
          with(cost, contenders, out, Optional.of(Path.of(value(name, rest)).toAbsolutePath()));
      default -> throw new IllegalArgumentException("unknown option " + name);
    };
  }

  private SpikeOptions with(
      int newCost, Set<SpikeContender> newContenders, Path newOut, Optional<Path> newCompare) {
    return new SpikeOptions(
        newCost,
        warmUp,
        before,
        spike,
        after,
        steps,
        stepLength,
        newContenders,
        newOut.toAbsolutePath(),
        newCompare);
  }

  private static int cost(String text) {
    if (text.matches("[4-9]|1[0-5]")) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("--cost takes a number from 4 to 15");
  }

  private static Set<SpikeContender> contenders(String text) {
    Set<SpikeContender> chosen = EnumSet.noneOf(SpikeContender.class);
    for (String name : text.split(",", -1)) {
      chosen.add(
          Arrays.stream(SpikeContender.values())
              .filter(one -> one.name().equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no contender " + name)));
    }
    return chosen;
  }

  private static String value(String name, Deque<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(name + " takes a value");
    }
    return rest.remove();
  }
}
