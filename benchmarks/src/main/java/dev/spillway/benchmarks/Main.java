package dev.spillway.benchmarks;

import dev.spillway.benchmarks.balance.BalanceBench;
import dev.spillway.benchmarks.function.FunctionBench;
import dev.spillway.benchmarks.service.OverloadBench;
import dev.spillway.benchmarks.service.ServiceBenches;
import java.util.Arrays;

/** {@code benchmarks.jar NAME [options]}: finds the benchmark of that name. */
final class Main {
  private static final String HELP =
      """
      usage: ./spillway bench NAME [options]

        kernel   bcrypt kernels against each other, by CPU time
        login    whole logins per second against the kernel alone, every core saturated
        overload multiples of what a service can do: what is answered, how soon, at what cost
        function what a digest costs in the function, for each lane count, JVM and native
        balance  ways to choose a function, simulated: equal, slow and failing ones
        spill    what a spill adds to the function's own time, and how many a second there can be
        attack   what ten thousand wrong guesses from one network buy, and what users notice
        timing   whether an answer's time tells who has an account

      ./spillway bench NAME --help says more; every one takes --quick and --out FILE.
      """;

  private static final int MISUSE = 2;

  private Main() {}

  public static void main(String... args) throws Exception {
    String name = args.length == 0 ? "--help" : args[0];
    String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
    switch (name) {
      case "--help", "-h" -> System.out.print(HELP);
      case "balance" -> System.exit(BalanceBench.run(rest));
      case "overload" -> System.exit(OverloadBench.run(rest));
      case "kernel" -> KernelBench.main(rest);
      case "function" -> FunctionBench.main(rest);
      case "login", "spill", "attack", "timing" -> System.exit(ServiceBenches.run(name, rest));
      default -> {
        System.err.print("no benchmark " + name + "\n\n" + HELP);
        System.exit(MISUSE);
      }
    }
  }
}
