package dev.spillway.auth.login;

import dev.spillway.auth.throttle.Admission;
import dev.spillway.hashing.HashAnswer;
import java.time.Duration;
import java.util.Optional;

/** What came of an attempt to log in. */
sealed interface LoginOutcome {
  /** Whether a hash was computed to its end. */
  default boolean hashed() {
    return switch (this) {
      case Granted granted -> true;
      case Denied(Optional<HashAnswer.Path> path) -> path.isPresent();
      case Throttled throttled -> false;
      case Shed shed -> false;
      case Gone gone -> false;
    };
  }

  /** The password is the user's, and a session has begun where they are on. */
  record Granted(dev.spillway.auth.sessions.Granted tokens, HashAnswer.Path path)
      implements LoginOutcome {}

  /**
   * It is not, or there is no such user, or the user is disabled: nobody is told which.
   *
   * @param path empty if nobody can have such a password, and no hash was spent
   */
  record Denied(Optional<HashAnswer.Path> path) implements LoginOutcome {}

  /** Too many guesses were wrong; this one was not looked at. */
  record Throttled(Admission.Limit by, Duration retryAfter) implements LoginOutcome {}

  /** Not found out; the client may try again. */
  record Shed(Duration retryAfter) implements LoginOutcome {}

  /** The client went away. */
  record Gone(Stage stage) implements LoginOutcome {}

  /** When. What each costs its network and account is a table in docs/security.md. */
  enum Stage {
    /** Before anything was looked up, or in the throttle's line. */
    BEFORE,
    /** Waiting for a permit or for a slot of a function. */
    IN_LINE,
    /** While the pool hashed for it. */
    HASHING,
    /** While a function hashed for it. */
    CALLED,
    /** After one form of the password was found wrong, before the next was decided. */
    BETWEEN_FORMS
  }
}
