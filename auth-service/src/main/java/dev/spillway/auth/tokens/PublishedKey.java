package dev.spillway.auth.tokens;

import java.time.Instant;
import java.util.Optional;

/**
 * A signing key as shown to an admin: without its private half.
 *
 * @param algorithm as tokens name it
 * @param publishedAt empty if the key came from a file, as are the others then
 * @param retiredAt empty as long as it has no successor
 */
public record PublishedKey(
    String kid,
    String algorithm,
    KeyState state,
    Optional<Instant> publishedAt,
    Optional<Instant> signsFrom,
    Optional<Instant> retiredAt) {
  static PublishedKey of(RingKey key, KeyState state) {
    return new PublishedKey(
        key.key().kid(),
        key.key().algorithm().joseName(),
        state,
        known(key.publishedAt()),
        known(key.signsFrom()),
        known(key.retiredAt()));
  }

  private static Optional<Instant> known(Instant instant) {
    return instant.equals(Instant.MIN) || instant.equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(instant);
  }
}
