package dev.spillway.hashing.spill.target;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a call to one target takes: a running estimate for each bcrypt cost.
 *
 * <p>The estimate is of a warm call. It falls by a quarter of what a call was faster and rises by
 * an eighth of what it was slower, and no single call counts for more than twice the estimate: a
 * cold start hardly shows, a target that has become slow does within a few dozen calls.
 */
public final class CallTimes {
  private static final int COSTS = 32;

  /** Nanoseconds by cost; 0 for unknown. */
  private final AtomicLongArray estimates = new AtomicLongArray(COSTS);

  private volatile boolean answered;

  /** A call has been answered. */
  public void measured(int cost, Duration took) {
    long nanos = Math.max(1, took.toNanos());
    estimates.updateAndGet(cost, old -> moved(old, nanos));
    answered = true;
  }

  /** The estimate; zero while no call of that cost has been answered. */
  public Duration of(int cost) {
    return Duration.ofNanos(estimates.get(cost));
  }

  /** Whether anything has been answered. */
  public boolean known() {
    return answered;
  }

  private static long moved(long old, long nanos) {
    if (old == 0) {
      return nanos;
    }
    return nanos < old ? old - (old - nanos) / 4 : old + (Math.min(nanos, 2 * old) - old) / 8;
  }
}
