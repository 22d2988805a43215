package dev.spillway.console.watch;

import dev.spillway.console.metrics.Histogram;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Percentiles of recent logins; empty without any.
 *
 * @param count how many they are of
 */
record Latency(long count, Optional<Duration> p50, Optional<Duration> p90, Optional<Duration> p99) {

  /**
   * @param seconds what ended lately, in seconds
   */
  static Latency of(Histogram seconds) {
    return new Latency(
        Math.round(seconds.count()),
        duration(seconds.quantile(0.5)),
        duration(seconds.quantile(0.9)),
        duration(seconds.quantile(0.99)));
  }

  private static Optional<Duration> duration(OptionalDouble seconds) {
    return seconds.isPresent()
        ? Optional.of(Duration.ofNanos(Math.round(seconds.getAsDouble() * 1e9)))
        : Optional.empty();
  }
}
