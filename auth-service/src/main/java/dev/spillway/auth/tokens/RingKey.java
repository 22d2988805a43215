package dev.spillway.auth.tokens;

import java.time.Instant;

/**
 * A key with the instants at which its state changes, by the database's clock.
 *
 * @param generation ascending; the successor of a key has a higher one
 * @param signsFrom {@link Instant#MAX} for a key that is published only, or that was added a moment
 *     ago
 * @param retiredAt {@link Instant#MAX} as long as it has no successor
 */
record RingKey(
    long generation, SigningKey key, Instant publishedAt, Instant signsFrom, Instant retiredAt) {

  boolean signsAt(Instant now) {
    return !now.isBefore(signsFrom);
  }

  boolean retiredBy(Instant now) {
    return !now.isBefore(retiredAt);
  }
}
