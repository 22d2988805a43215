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
   * The same or, at random, up to half as much and a second more. Whoever is shed in one moment is
   * told the same time, and would come back in one moment.
   */
  static long spread(Duration duration, RandomGenerator random) {
    long seconds = seconds(duration);
    return seconds + random.nextLong(seconds / 2 + 2);
  }
}
