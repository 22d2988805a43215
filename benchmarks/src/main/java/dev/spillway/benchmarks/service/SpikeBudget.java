package dev.spillway.benchmarks.service;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time one run of the spike lab may take, from the making of this. Everything takes from it:
 * what a contender does not use is there for those after it.
 */
final class SpikeBudget {
  private final Duration total;
  private final LongSupplier nanoClock;
  private final long startNanos;

  SpikeBudget(Duration total, LongSupplier nanoClock) {
    this.total = total;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  Duration total() {
    return total;
  }

  Duration used() {
    return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
  }

  /** Negative if it is overdrawn. */
  Duration left() {
    return total.minus(used());
  }

  boolean allows(Duration length) {
    return left().compareTo(length) >= 0;
  }

  /**
   * The share of the first of so many contenders that are still to come, itself among them: no more
   * than the others leave to it.
   */
  Share share(int contenders) {
    return new Share(left().minus(left().dividedBy(contenders).multipliedBy(contenders - 1L)));
  }

  /** What one contender may take, from the making of this. */
  final class Share {
    private final Duration endsWhenUsed;

    private Share(Duration length) {
      this.endsWhenUsed = used().plus(length);
    }

    /** Whether something of this length can be done now and {@code kept} is left after it. */
    boolean allows(Duration length, Duration kept) {
      return used().plus(length).plus(kept).compareTo(endsWhenUsed) <= 0;
    }
  }
}
