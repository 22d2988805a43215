package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * How thorough one run is.
 *
 * @param rounds how often everything is started afresh and measured
 * @param sample how long one contender is under load before the next has its turn; zero where
 *     nothing is sampled
 * @param quick whether it is a first impression only
 */
record Options(int cost, int rounds, Duration sample, boolean quick, Optional<Path> out) {
  private static final String HELP =
      """
        --cost N     bcrypt cost (%d)
        --rounds N   fresh starts of everything (%d)
      %s\
        --quick      under two minutes, for a first impression
        --out FILE   also write the result there; a bare name goes to benchmarks/results/
        --help       this

      Progress goes to stderr, the table to stdout; the last line of stdout is JSON.
      """;

  static Options of(int cost, int rounds, Duration sample) {
    return new Options(cost, rounds, sample, false, Optional.empty());
  }

  String help() {
    String seconds =
        sample.isZero()
            ? ""
            : "  --seconds N  length of a sample (%d)\n".formatted(sample.toSeconds());
    return HELP.formatted(cost, rounds, seconds);
  }

  /**
   * These options as changed by {@code args}.
   *
   * @param quickSample length of a sample in a quick run
   * @throws IllegalArgumentException if {@code args} are not understood
   */
  Options parse(Duration quickSample, String... args) {
    Options options =
        Arrays.asList(args).contains("--quick")
            ? new Options(cost, 1, quickSample, true, out)
            : this;
    Arguments arguments = new Arguments(args);
    while (arguments.hasNext()) {
      options = options.with(arguments);
    }
    return options;
  }

  private Options with(Arguments arguments) {
    return switch (arguments.next()) {
      case "--quick" -> this;
      case "--cost" -> new Options(arguments.number(4, 15), rounds, sample, quick, out);
      case "--rounds" -> new Options(cost, arguments.number(1, 99), sample, quick, out);
      case "--seconds" ->
          new Options(cost, rounds, Duration.ofSeconds(arguments.number(1, 600)), quick, out);
      case "--out" -> new Options(cost, rounds, sample, quick, Optional.of(arguments.result()));
      default -> throw arguments.unknown();
    };
  }
}
