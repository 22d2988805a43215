package dev.spillway.auth.http;

import java.time.Duration;

/** The request was shed: nothing had the capacity to serve it in time. */
public final class Overloaded extends Unavailable {
  private static final String DETAIL = "Too many requests at this moment; nothing was done.";

  public Overloaded(Duration retryAfter) {
    super("overloaded", DETAIL, retryAfter, null);
  }

  /**
   * @param reason one sentence without its full stop: why there is so little capacity
   */
  public Overloaded(Duration retryAfter, String reason) {
    super("overloaded", DETAIL + " Reason: " + reason + ".", retryAfter, null);
  }
}
