package dev.spillway.auth.http;

import java.time.Duration;

/** The value of {@code Retry-After}: RFC 9110, section 10.2.3. */
public final class RetryAfter {
  private RetryAfter() {}

  /** Upwards, and never zero: a client that comes back at once has not waited. */
  public static long seconds(Duration duration) {
    return Math.max(1, duration.plus(Duration.ofSeconds(1)).minusNanos(1).toSeconds());
  }
}
