package dev.spillway.auth.hashing.spill;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a call to one target takes: a running estimate for each bcrypt cost, and the 95th percentile
 * of the latest calls.
 *
 * <p>The estimate is of a warm call. It falls by a quarter of what a call was faster and rises by
 * an eighth of what it was slower, and no single call counts for more than twice the estimate: a
 * cold start hardly shows, a target that has become slow does within a few dozen calls.
 */
final class CallTimes {
  private static final int COSTS = 32;
  private static final int LATEST = 128;

  /** Nanoseconds by cost; 0 for unknown. */
  private final AtomicLongArray estimates = new AtomicLongArray(COSTS);

  /** A ring; 0 for never written. */
  private final AtomicLongArray latest = new AtomicLongArray(LATEST);

  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean answered;

  void measured(int cost, Duration took) {
    long nanos = Math.max(1, took.toNanos());
    estimates.updateAndGet(cost, old -> moved(old, nanos));
    latest.set(Math.floorMod(next.getAndIncrement(), LATEST), nanos);
    answered = true;
  }

  /** The estimate; zero while no call of that cost has been answered. */
  Duration of(int cost) {
    return Duration.ofNanos(estimates.get(cost));
  }

  /** Something other than a digest has been answered. */
  void met() {
    answered = true;
  }

  /** Whether anything has been answered. */
  boolean known() {
    return answered;
  }

  /** What 19 of 20 calls stay below; zero until {@value #LATEST} calls have been answered. */
  Duration p95() {
    long[] times = new long[LATEST];
    Arrays.setAll(times, latest::get);
    Arrays.sort(times);
    return Duration.ofNanos(times[0] == 0 ? 0 : times[LATEST * 95 / 100]);
  }

  private static long moved(long old, long nanos) {
    if (old == 0) {
      return nanos;
    }
    return nanos < old ? old - (old - nanos) / 4 : old + (Math.min(nanos, 2 * old) - old) / 8;
  }
}
