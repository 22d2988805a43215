package dev.spillway.hashing.spring;

import java.time.Duration;

/**
 * Thrown when there was no capacity to hash a password in time: it is not known whether the
 * password is right. Answer it with 503 Service Unavailable and {@code Retry-After}.
 */
public final class HashingOverloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  HashingOverloadException(Duration retryAfter) {
    super("no capacity to hash a password in time", null, false, false);
    this.retryAfter = Duration.ofSeconds(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
  }

  /** Time after which to try again: whole seconds, at least one. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
