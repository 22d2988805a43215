package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.DigestResult;
import java.time.Duration;

/** What a pool tells of itself to whoever measures it. All methods do nothing unless overridden. */
public interface PoolMeters {
  /** Measures nothing. */
  PoolMeters NONE = new PoolMeters() {};

  /** The pool exists from now on; its state may be read at any time. */
  default void observe(PoolState pool) {}

  /** A caller got a permit after this wait. */
  default void admitted(Duration waited) {}

  /** A caller got none. */
  default void refused(PoolAnswer.Reason reason, Duration waited) {}

  /** A hash has ended after this time on its thread. */
  default void ended(DigestResult result, Duration elapsed) {}
}
