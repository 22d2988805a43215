package dev.spillway.hashing;

import dev.spillway.hashing.pool.PoolState;

/** Receives the measurements of {@link Hashing}. Its methods do nothing unless overridden. */
public interface HashingMeters {
  /** Measures nothing. */
  HashingMeters NONE = new HashingMeters() {};

  /**
   * Called once; the state may be read at any time from then on.
   *
   * @param cost of new hashes, and so of most stored ones
   */
  default void observe(PoolState pool, int cost) {}

  /** A hash was computed. */
  default void computed(HashAnswer.Path path) {}

  /** A hash was asked for, and there was no capacity in time. */
  default void shed() {}

  /** A hash was asked for, and its client went away. */
  default void gone() {}
}
