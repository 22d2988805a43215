package dev.spillway.hashing;

import dev.spillway.hashing.pool.PoolState;

/**
 * What the router tells of itself to whoever measures it. All methods do nothing unless overridden.
 */
public interface HashingMeters {
  /** Measures nothing. */
  HashingMeters NONE = new HashingMeters() {};

  /**
   * The router exists from now on.
   *
   * @param cost of new hashes, and so of most stored ones
   */
  default void observe(PoolState pool, int cost) {}

  /** A hash was computed. */
  default void computed(HashAnswer.Path path) {}

  /** A hash was asked for, and nobody had the capacity in time. */
  default void shed() {}

  /** A hash was asked for, and its client went away. */
  default void gone() {}
}
