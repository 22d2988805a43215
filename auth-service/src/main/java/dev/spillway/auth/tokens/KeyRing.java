package dev.spillway.auth.tokens;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The keys as read at one instant, with the times at which their states change: between two
 * readings every instance follows those times, and all change at the same instant.
 *
 * @param keys by ascending generation, at least one of which signs
 * @param readAt by our clock, when they were asked for
 * @param ahead what the database's clock shows more than ours; that of the database decides, so
 *     instances need not agree on the time
 */
record KeyRing(List<RingKey> keys, Instant readAt, Duration ahead) {
  KeyRing {
    keys = keys.stream().sorted(Comparator.comparingLong(RingKey::generation)).toList();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("a ring without a key");
    }
  }

  /**
   * The key to sign with: the latest whose signing time has begun.
   *
   * @param now by our clock
   */
  RingKey signing(Instant now) {
    Instant there = now.plus(ahead);
    return keys.reversed().stream()
        .filter(key -> key.signsAt(there))
        .findFirst()
        // None if a clock was set back; verifiers know the oldest.
        .orElse(keys.getFirst());
  }

  Optional<SigningKey> find(String kid) {
    return keys.stream().map(RingKey::key).filter(key -> key.kid().equals(kid)).findFirst();
  }

  RingKey newest() {
    return keys.getLast();
  }

  /**
   * @param now by our clock
   */
  KeyState state(RingKey key, Instant now) {
    long signing = signing(now).generation();
    if (key.generation() == signing) {
      return KeyState.SIGNING;
    }
    return key.generation() > signing || key.signsFrom().equals(Instant.MAX)
        ? KeyState.PUBLISHED
        : KeyState.RETIRING;
  }
}
