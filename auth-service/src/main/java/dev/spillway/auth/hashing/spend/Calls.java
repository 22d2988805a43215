package dev.spillway.auth.hashing.spend;

import java.time.Duration;

/**
 * Calls that functions were paid for.
 *
 * @param took their time in all, as measured here: a little more than what is billed
 */
record Calls(long count, Duration took) {
  static final Calls NONE = new Calls(0, Duration.ZERO);

  Calls since(Calls earlier) {
    return new Calls(count - earlier.count, took.minus(earlier.took));
  }
}
