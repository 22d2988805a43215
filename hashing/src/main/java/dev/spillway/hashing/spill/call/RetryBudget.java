package dev.spillway.hashing.spill.call;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Second calls as a share of first ones. When everything fails, retrying everything would double
 * the load on what fails. A bucket: each first call puts a part of a second one in, each second
 * call takes a whole one out. Ten fit in, so that a few failures after a quiet time are all
 * retried.
 */
public final class RetryBudget {
  private static final int ONE = 100;
  private static final int FULL = 10 * ONE;

  private final AtomicInteger hundredths = new AtomicInteger(FULL);

  /**
   * A first call is made.
   *
   * @param percent second calls for each hundred first ones
   */
  public void called(int percent) {
    hundredths.updateAndGet(left -> Math.min(FULL, left + percent));
  }

  /**
   * Whether a second call may be made; it is paid for then.
   *
   * @param percent 0 for never
   */
  public boolean spend(int percent) {
    return percent > 0 && hundredths.getAndUpdate(left -> left >= ONE ? left - ONE : left) >= ONE;
  }
}
