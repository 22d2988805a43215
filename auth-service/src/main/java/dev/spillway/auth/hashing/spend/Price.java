package dev.spillway.auth.hashing.spend;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * What calls cost, in billionths of the currency.
 *
 * @param nanosPerSecond of one call under way
 * @param nanosPerCall besides
 */
record Price(double nanosPerSecond, double nanosPerCall) {
  private static final double NANOS = 1e9;

  /** AWS's in most regions; next to a hash of 204 ms it is one in twenty-five. */
  private static final double CALL = 0.0000002;

  static Price of(SpendConfig config) {
    return new Price(config.secondPrice().doubleValue() * NANOS, CALL * NANOS);
  }

  static long nanos(BigDecimal money) {
    return money.movePointRight(9).longValue();
  }

  /** Rounded up: a bill is. */
  long of(Calls calls) {
    return (long) Math.ceil(seconds(calls.took()) * nanosPerSecond + calls.count() * nanosPerCall);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS;
  }
}
