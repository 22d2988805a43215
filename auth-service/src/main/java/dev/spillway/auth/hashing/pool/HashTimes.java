package dev.spillway.auth.hashing.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a hash takes on this machine as it is now, by the clock on the wall, beside whatever else
 * the thread's lanes carry: a running estimate. bcrypt's work doubles with each cost, so one number
 * serves every cost.
 *
 * <p>Exponentially weighted, an eighth for the newest: a machine that is throttled or shared shows
 * within a dozen hashes, one slow hash does not (RFC 6298 smooths round-trip times alike).
 */
final class HashTimes {
  private static final long UNKNOWN = 0;

  /** The estimate for cost 0, in picoseconds: at cost 4 a nanosecond would be too coarse. */
  private final AtomicLong unitPicos = new AtomicLong(UNKNOWN);

  void measured(int cost, Duration elapsed) {
    long sample = Math.max(1, (elapsed.toNanos() * 1_000) >> cost);
    unitPicos.updateAndGet(old -> old == UNKNOWN ? sample : Math.max(1, old + (sample - old) / 8));
  }

  /** The estimate; zero as long as nothing has been measured. */
  Duration of(int cost) {
    return Duration.ofNanos((unitPicos.get() << cost) / 1_000);
  }
}
