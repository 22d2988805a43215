package dev.spillway.auth.throttle;

import java.time.Duration;
import java.util.Locale;

/** Whether a guess may be looked at. */
public sealed interface Admission {
  /** It may. */
  record Admitted() implements Admission {}

  /**
   * Too many were wrong.
   *
   * @param retryAfter when the window ends that they were in
   */
  record Refused(Limit by, Duration retryAfter) implements Admission {}

  /** The deadline passed, or the client went away, while others had to be looked at first. */
  record Late() implements Admission {}

  /** What there are limits for. */
  enum Limit {
    /** Guesses on one account from one network. */
    ACCOUNT,
    /** Guesses on one account from all networks where it is not at home. */
    GUARD,
    /** Guesses from one network on accounts that are not at home there. */
    NETWORK;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
