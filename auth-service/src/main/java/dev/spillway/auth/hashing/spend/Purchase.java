package dev.spillway.auth.hashing.spend;

import java.util.Locale;

/** Whether a hash may be spilled. */
public sealed interface Purchase {
  /**
   * It may.
   *
   * @param minute in which it counts, since 1970
   */
  record Allowed(long minute) implements Purchase {}

  /** It may not: it waits for the pool, or is shed. */
  record Refused(Reason reason) implements Purchase {}

  /** Why not. */
  enum Reason {
    /** An admin, or the configuration, has stopped all spilling. */
    STOPPED,
    /** As many were spilled in this minute as may be. */
    MINUTE,
    /** The hour's money is spent. */
    HOUR,
    /** The day's money is spent. */
    DAY,
    /** Too many wrong guesses on the account or from the network. */
    SUSPECT,
    /** A ceiling is near, and what is left of it is for those who are better known. */
    SCARCE;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
