package dev.spillway.hashing.spill.balance;

import java.time.Duration;

/**
 * How long a failing target is left alone.
 *
 * @param first after its first failures, and how long one failed call counts as load; more than 0
 * @param longest what {@code first} doubles up to while probes fail
 */
public record CoolDown(Duration first, Duration longest) {
  /**
   * A handful of calls take a second: after it a deployment's hiccup is over. Two probes a minute
   * cost nothing, and find a region that is back soon enough.
   */
  public static final CoolDown USUAL = new CoolDown(Duration.ofSeconds(1), Duration.ofSeconds(30));

  public CoolDown {
    if (!first.isPositive() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "a cool-down is more than 0, the longest not the shortest");
    }
  }

  /** Nanoseconds of the {@code repetition}th in a row, counted from 1. */
  long nanos(int repetition) {
    return Math.min(longest.toNanos(), first.toNanos() << Math.min(repetition - 1, 16));
  }
}
