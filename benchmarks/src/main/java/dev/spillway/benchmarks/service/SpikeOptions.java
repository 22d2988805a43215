package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What one run of the spike lab does.
 *
 * @param forRivals what it may take longer for their sake
 */
record SpikeOptions(
    SpikeLength length,
    int cost,
    Duration forRivals,
    Set<SpikeContender> contenders,
    Path out,
    Optional<Path> compare) {
  static final String HELP =
      """
      usage: ./spillway spike [options]

      Looks for the most logins that each contender answers 200 with a p99 under 1 s, step by step;
      then puts the same logins on each: a quiet time, ten times as many, a quiet time again. They
      arrive at random moments whether or not others have been answered, at half of what the naive
      service can take. Meanwhile health and keys are probed over new connections. Ends with a report
      to look at.

        naive    bcrypt on the request's thread, no bound
        pool     Spillway with nowhere to spill to
        local    Spillway spilling to function processes that share this machine's CPU
        remote   Spillway spilling to a simulated function elsewhere

        --quick          under three minutes (cost 10); without it at most 20
        --minute         a minute; for invariants, not for figures (cost 8, at most 1,500 logins a second)
        --cost N         bcrypt cost (12)
        --only A,B       these contenders only
        --rival keycloak also Keycloak, with its default hashing and with one that costs as much as
                         bcrypt; fetches 150 MB the first time, takes three minutes more if --quick
        --out DIR        report.html and report.json go there (target/spike)
        --compare FILE   shows what has changed since that report.json
        --help           this

      What is left of the time when others have had theirs goes into the steps; a contender for whose
      spike there is not enough any more is left out.

      Exits with 1 if a contender of ours gave an answer other than 200 and 503, or did not give all
      permits back, or if one was left out.
      """;

  /**
   * Logins a second: ten times as many, all waiting, are fewer than there are ports and descriptors
   * for their connections. Many cores would be offered more hashes as cheap as those of --minute.
   */
  private static final double ENOUGH_FOR_INVARIANTS = 150;

  boolean stepping() {
    return length.step().isPositive();
  }

  Duration budget() {
    return length.budget().plus(forRivals);
  }

  SpikeBudget start() {
    return new SpikeBudget(budget(), System::nanoTime);
  }

  SpikeShape shape(double naivePerSecond) {
    double half = naivePerSecond / 2;
    double baseline = stepping() ? half : Math.min(half, ENOUGH_FOR_INVARIANTS);
    return new SpikeShape(baseline, length);
  }

  /**
   * @throws IllegalArgumentException if {@code args} are not understood
   */
  static SpikeOptions parse(String... args) {
    SpikeOptions options = start(SpikeLength.FULL, 12);
    if (Arrays.asList(args).contains("--quick")) {
      options = start(SpikeLength.QUICK, 10);
    } else if (Arrays.asList(args).contains("--minute")) {
      options = start(SpikeLength.MINUTE, 8);
    }
    Arguments arguments = new Arguments(args);
    while (arguments.hasNext()) {
      options = options.with(arguments);
    }
    return options;
  }

  private static SpikeOptions start(SpikeLength length, int cost) {
    return new SpikeOptions(
        length,
        cost,
        Duration.ZERO,
        SpikeContender.USUAL,
        Home.path("target", "spike"),
        Optional.empty());
  }

  private SpikeOptions with(Arguments arguments) {
    return switch (arguments.next()) {
      case "--quick", "--minute" -> this;
      case "--cost" -> with(arguments.number(4, 15), contenders, out, compare);
      case "--only" -> with(cost, chosen(arguments.value()), out, compare);
      case "--rival" -> withRival(arguments.value());
      case "--out" -> with(cost, contenders, Path.of(arguments.value()), compare);
      case "--compare" ->
          with(cost, contenders, out, Optional.of(Path.of(arguments.value()).toAbsolutePath()));
      default -> throw arguments.unknown();
    };
  }

  /** Theirs is time of their own: the others have as much as without them. */
  private SpikeOptions withRival(String name) {
    if (!name.equals("keycloak")) {
      throw new IllegalArgumentException("--rival takes keycloak");
    }
    Duration more = forRivals;
    for (SpikeContender rival : SpikeContender.RIVALS) {
      more = more.plus(SpikeRun.atLeast(rival, this)).plus(length.step().multipliedBy(8));
    }
    Set<SpikeContender> all = EnumSet.copyOf(contenders);
    all.addAll(SpikeContender.RIVALS);
    return new SpikeOptions(length, cost, more, all, out, compare);
  }

  private SpikeOptions with(
      int newCost, Set<SpikeContender> newContenders, Path newOut, Optional<Path> newCompare) {
    return new SpikeOptions(
        length, newCost, forRivals, newContenders, newOut.toAbsolutePath(), newCompare);
  }

  /** Rivals that are among them stay. */
  private Set<SpikeContender> chosen(String text) {
    Set<SpikeContender> chosen = EnumSet.copyOf(contenders);
    chosen.retainAll(SpikeContender.RIVALS);
    for (String name : text.split(",", -1)) {
      chosen.add(
          SpikeContender.USUAL.stream()
              .filter(one -> one.name().equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no contender " + name)));
    }
    return chosen;
  }
}
