package dev.spillway.auth.http;

import java.time.Duration;
import java.util.Objects;

/**
 * A valid request that cannot be served now. The answer is a 503 with {@code Retry-After} and the
 * problem {@code urn:spillway:<name>}.
 *
 * <p>An overload throws thousands, so it has no stack trace unless it has a cause, and it is not
 * logged.
 */
public abstract class Unavailable extends RuntimeException {
  private final String name;
  private final Duration retryAfter;

  /**
   * @param name last part of the problem's type
   * @param detail shown to the client
   * @param retryAfter when to come back; rounded up to whole seconds, at least one, and spread
   */
  protected Unavailable(String name, String detail, Duration retryAfter, Throwable cause) {
    super(detail, cause, false, cause != null);
    this.name = Objects.requireNonNull(name, "name");
    this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter");
  }

  public final Problem problem() {
    return Problem.of(jakarta.ws.rs.core.Response.Status.SERVICE_UNAVAILABLE, name, getMessage());
  }

  public final Duration retryAfter() {
    return retryAfter;
  }
}
