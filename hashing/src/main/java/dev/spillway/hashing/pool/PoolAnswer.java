package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptDigest;
import java.time.Duration;
import java.util.Locale;

/** What came of asking the pool for a digest. */
public sealed interface PoolAnswer {
  /** The digest, and how long its caller stood in line for the permit. */
  record Computed(BcryptDigest digest, Duration waited) implements PoolAnswer {}

  /** Not admitted: no hash was begun and none is owed, so the work may go elsewhere. */
  record Refused(Reason reason, Duration waited) implements PoolAnswer {}

  /** Admitted, but the deadline passed before the digest was there. */
  record Late(Duration waited) implements PoolAnswer {}

  /** Why a caller was not admitted. */
  enum Reason {
    /** The enqueue timeout passed. */
    TIMED_OUT,
    /** The wait is already known to exceed the enqueue timeout, so it was not begun. */
    LINE_TOO_LONG,
    /** The client went away, or its deadline passed, while in line. */
    ABANDONED,
    /** The pool is shutting down. */
    CLOSED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
