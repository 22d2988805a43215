package dev.spillway.auth.http;

import java.time.Duration;

/** The request was shed: nothing had the capacity to serve it in time. */
public final class Overloaded extends Unavailable {
  public Overloaded(Duration retryAfter) {
    super("overloaded", "Too many requests at this moment; nothing was done.", retryAfter, null);
  }
}
