package dev.spillway.hashing;

import java.time.Duration;
import java.util.Optional;

/** What came of holding a password against a hash. */
public sealed interface Verdict {
  /** It is the one. */
  record Match(Path path) implements Verdict {}

  /** It is another. */
  record Mismatch(Path path) implements Verdict {}

  /** Nobody had the capacity in time: it is not known whether it is the one. */
  record Shed(Duration retryAfter) implements Verdict {}

  /**
   * The client went away; nobody is there to be told anything.
   *
   * @param begun where a hash had begun for it; empty if it was in line
   */
  record Gone(Optional<Path> begun) implements Verdict {}

  /** Where the digest was computed. */
  enum Path {
    LOCAL,
    SPILLED
  }
}
