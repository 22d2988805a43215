package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spill.SpillConfig;
import dev.spillway.auth.hashing.spill.SpillPlan;
import java.time.Duration;

/**
 * What of hashing may change while the service runs: a whole, known to make sense.
 *
 * @param enqueueTimeout how long a caller may stand in line for the pool
 */
public record HashingSettings(Duration enqueueTimeout, SpillPlan spill) {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /**
   * @throws IllegalArgumentException if the configuration cannot work, saying which key and why
   */
  public static HashingSettings of(PoolConfig pool, HashingConfig hashing, SpillConfig spill) {
    checkWaits(pool.enqueueTimeout(), pool.maxWait(), hashing.deadline());
    return new HashingSettings(pool.enqueueTimeout(), SpillPlan.of(spill));
  }

  static void checkWaits(Duration enqueueTimeout, Duration maxWait, Duration deadline) {
    if (!enqueueTimeout.isPositive() || enqueueTimeout.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "spillway.pool.enqueue-timeout must be more than 0 and at most 10s");
    }
    if (enqueueTimeout.compareTo(maxWait) > 0) {
      throw new IllegalArgumentException(
          "spillway.pool.max-wait must be at least spillway.pool.enqueue-timeout: it bounds the"
              + " whole time in line");
    }
    if (maxWait.compareTo(deadline) >= 0) {
      throw new IllegalArgumentException(
          "spillway.hashing.deadline must be longer than spillway.pool.max-wait: the hash needs"
              + " time after the wait");
    }
  }
}
