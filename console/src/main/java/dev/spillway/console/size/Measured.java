package dev.spillway.console.size;

import java.time.Duration;

/**
 * Figures of docs/performance.md, from the one machine that was measured: a core of a shared AMD
 * EPYC (Zen 4).
 */
final class Measured {
  /** The cost it was measured at. Each step up doubles a hash, by bcrypt's definition. */
  static final int COST = 10;

  /** Hashes a second of one core, by lanes in use: "One core: the kernel". */
  private static final double[] BY_LANES = {19.7, 35.5, 46.0, 50.9};

  /** One hash alone on a core, at that cost: the same table. */
  private static final Duration ALONE = Duration.ofNanos(50_900_000);

  /** Lanes of a hash thread. */
  static final int LANES = BY_LANES.length;

  /** CPU of a login beside its hash: "Two cores: whole logins". */
  static final Duration REST_OF_LOGIN = Duration.ofNanos(3_200_000);

  /** Time that a call adds to the hash, in one region: docs/capacity.md, "The defaults". */
  static final Duration ROUND_TRIP = Duration.ofMillis(20);

  private Measured() {}

  /** One hash alone on a core. */
  static Duration alone(int cost) {
    return Duration.ofNanos(Math.round(ALONE.toNanos() * Math.pow(2, cost - COST)));
  }

  /** A hash that shares its core with as many as there is room for. */
  static Duration inFullLanes(int cost) {
    return Duration.ofNanos(Math.round(LANES * 1e9 / hashesPerSecond(LANES, cost)));
  }

  /**
   * Hashes a second of one core.
   *
   * @param lanes in use, 0 to {@link #LANES}
   */
  static double hashesPerSecond(int lanes, int cost) {
    return lanes == 0 ? 0 : BY_LANES[lanes - 1] / Math.pow(2, cost - COST);
  }
}
