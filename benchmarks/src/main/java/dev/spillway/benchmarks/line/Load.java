package dev.spillway.benchmarks.line;

import java.util.function.DoubleUnaryOperator;

/**
 * What comes, and how fast the pool is. Times in ms.
 *
 * @param times by the time: multiples of what the pool can do that arrive at random moments
 * @param burst logins that come together every so often; 0 for none
 * @param slower by the time: how much longer a hash takes
 */
record Load(
    String label,
    DoubleUnaryOperator times,
    int burst,
    double burstEvery,
    DoubleUnaryOperator slower) {
  static Load steady(double times) {
    return new Load("%s x".formatted(plain(times)), _ -> times, 0, 0, _ -> 1);
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
