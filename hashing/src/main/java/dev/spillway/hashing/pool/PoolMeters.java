package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.DigestResult;
import java.time.Duration;

/** Receives the measurements of a pool. Its methods do nothing unless they are overridden. */
public interface PoolMeters {
  /** Measures nothing. */
  PoolMeters NONE = new PoolMeters() {};

  /** Called once; the state may be read at any time from then on. */
  default void observe(PoolState pool) {}

  /** A caller got a permit after this wait. */
  default void admitted(Duration waited) {}

  /** A caller got no permit. */
  default void refused(PoolAnswer.Reason reason, Duration waited) {}

  /** A hash has ended after this time on its thread. */
  default void ended(DigestResult result, Duration elapsed) {}
}
