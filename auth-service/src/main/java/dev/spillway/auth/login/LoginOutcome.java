package dev.spillway.auth.login;

import dev.spillway.auth.http.ClientGone;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.RetryAfter;
import dev.spillway.auth.throttle.Admission;
import dev.spillway.hashing.HashAnswer;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * What came of an attempt: to log in, or to show that one may change a password.
 *
 * @param <T> what the user of a right password is given
 */
sealed interface LoginOutcome<T> {
  /** Whether a hash was computed to its end. */
  default boolean hashed() {
    return switch (this) {
      case Granted<T> granted -> true;
      case Denied<T>(Optional<HashAnswer.Path> path) -> path.isPresent();
      case Throttled<T> throttled -> false;
      case Shed<T> shed -> false;
      case Gone<T> gone -> false;
    };
  }

  /** The password is the user's. */
  record Granted<T>(T given, HashAnswer.Path path) implements LoginOutcome<T> {}

  /**
   * It is not, or there is no such user, or the user is disabled: nobody is told which.
   *
   * @param path empty if nobody can have such a password, and no hash was spent
   */
  record Denied<T>(Optional<HashAnswer.Path> path) implements LoginOutcome<T> {}

  /** Nothing is known of the password. */
  sealed interface Undecided<T> extends LoginOutcome<T> {
    /** What the client is told. */
    default RuntimeException toException() {
      return switch (this) {
        case Throttled<T>(var by, Duration retryAfter) -> throttled(retryAfter);
        case Shed<T>(Duration retryAfter) -> new Overloaded(retryAfter);
        case Gone<T> gone -> ClientGone.toException();
      };
    }

    /** The same words whatever the limit, and whether or not there is such an account. */
    private static WebApplicationException throttled(Duration retryAfter) {
      return Problem.toException(
          Problem.of(
                  Response.Status.TOO_MANY_REQUESTS,
                  "throttled",
                  "Too many failed attempts. Try again later.")
              .toBuilder()
              .header(HttpHeaders.RETRY_AFTER, RetryAfter.seconds(retryAfter))
              .build());
    }
  }

  /** Too many guesses were wrong; this one was not looked at. */
  record Throttled<T>(Admission.Limit by, Duration retryAfter) implements Undecided<T> {}

  /** Not found out; the client may try again. */
  record Shed<T>(Duration retryAfter) implements Undecided<T> {}

  /** The client went away. */
  record Gone<T>(Stage stage) implements Undecided<T> {}

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
