package dev.spillway.hashing.spring;

import java.time.Duration;

/**
 * Nobody had the capacity to hash in time: it is not known whether the password is right. To be
 * answered with 503 Service Unavailable and {@code Retry-After}, never as a wrong password.
 */
public final class HashingOverloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  HashingOverloadException(Duration retryAfter) {
    super("no capacity to hash a password in time", null, false, false);
    this.retryAfter = Duration.ofSeconds(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
  }

  /** When it is worth trying again: whole seconds, at least one. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
