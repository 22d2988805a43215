package dev.spillway.auth.http;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The value of {@code Retry-After}: RFC 9110, section 10.2.3. */
public final class RetryAfter {
  private RetryAfter() {}

  /** Upwards, and never zero: a client that comes back at once has not waited. */
  public static long seconds(Duration duration) {
    return Math.max(1, duration.plus(Duration.ofSeconds(1)).minusNanos(1).toSeconds());
  }

  /**
   * The same plus, at random, up to half as much and a second. Clients that are shed together would
   * otherwise return together.
   */
  static long spread(Duration duration, RandomGenerator random) {
    long seconds = seconds(duration);
    return seconds + random.nextLong(seconds / 2 + 2);
  }
}
