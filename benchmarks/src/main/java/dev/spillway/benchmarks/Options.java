package dev.spillway.benchmarks;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What one run of {@link KernelBench} does.
 *
 * @param cpu the core to pin to
 * @param forks fresh JVMs, since what the compiler makes of a kernel differs from one to the next
 * @param rounds alternations in each of them
 */
record Options(int cost, int cpu, int forks, int rounds, Optional<Path> out) {
  static final String HELP =
      """
      Compares bcrypt kernels by the CPU time of their thread, spring-security-crypto being 1,
      and with the same lanes as a loop in C, where there is a compiler.

        --cost N    bcrypt cost (8: what is compared takes 100 ms together)
        --forks N   fresh JVMs (3)
        --rounds N  comparisons of each rival in each (21)
        --quick     one fork of 11 rounds: under a minute, for a first impression
        --cpu N     core to pin to, where taskset exists (the last one)
        --out FILE  also write the result there; a bare name goes to benchmarks/results/
        --help      this

      Progress goes to stderr, the table to stdout; the last line of stdout is JSON.
      """;

  private static final int QUICK_FORKS = 1;
  private static final int QUICK_ROUNDS = 11;

  /**
   * @throws IllegalArgumentException if {@code args} are not understood
   */
  static Options parse(String... args) {
    Options options =
        new Options(8, Runtime.getRuntime().availableProcessors() - 1, 3, 21, Optional.empty());
    Arguments arguments = new Arguments(args);
    while (arguments.hasNext()) {
      options = options.with(arguments);
    }
    return options;
  }

  private Options with(Arguments arguments) {
    return switch (arguments.next()) {
      case "--cost" -> new Options(arguments.number(4, 15), cpu, forks, rounds, out);
      case "--cpu" -> new Options(cost, arguments.number(0, 4095), forks, rounds, out);
      case "--forks" -> new Options(cost, cpu, arguments.number(1, 99), rounds, out);
      case "--rounds" -> new Options(cost, cpu, forks, arguments.number(1, 999), out);
      case "--quick" -> new Options(cost, cpu, QUICK_FORKS, QUICK_ROUNDS, out);
      case "--out" -> new Options(cost, cpu, forks, rounds, Optional.of(arguments.result()));
      default -> throw arguments.unknown();
    };
  }
}
