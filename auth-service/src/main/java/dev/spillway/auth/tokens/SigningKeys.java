package dev.spillway.auth.tokens;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The signing keys that this instance knows.
 *
 * <p>Two invariants keep verifiers that cache keys from meeting a token of an unknown key:
 *
 * <ul>
 *   <li>K1: nothing is signed, and nothing cacheable is served, from a ring older than twice the
 *       interval at which it is read again. So every instance that signs or serves keys knows what
 *       was added before that time, even after a database outage or a suspended machine.
 *   <li>K2: a key signs only once that time and the one for which verifiers may cache have passed
 *       since it was added ({@link RotationTimes}), and by the database's clock ({@link KeyRing}).
 * </ul>
 */
final class SigningKeys {
  /** Where keys are read from. */
  @FunctionalInterface
  interface Source {
    KeyRing read() throws UnusableKeyException;
  }

  private final Source source;
  private final Clock clock;
  private final Duration freshFor;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile KeyRing ring;

  /**
   * Reads the keys for the first time.
   *
   * @param freshFor after which a ring is stale
   */
  SigningKeys(Source source, Clock clock, Duration freshFor) throws UnusableKeyException {
    this.source = source;
    this.clock = clock;
    this.freshFor = freshFor;
    this.ring = source.read();
  }

  /**
   * The key that signs now; reads the database only if the last reading is too old.
   *
   * @throws dev.spillway.auth.http.Unavailable if it must be read and cannot
   */
  SigningKey signing() {
    return fresh().signing(clock.instant()).key();
  }

  /** As it was read last, however long ago: to verify with, and to show. */
  KeyRing ring() {
    return ring;
  }

  /** Of a clock that was set back too: the age is not known then. */
  boolean isStale(KeyRing ring) {
    Duration age = Duration.between(ring.readAt(), clock.instant());
    return age.abs().compareTo(freshFor) > 0;
  }

  /** Reads the keys again, now. */
  KeyRing read() throws UnusableKeyException {
    reading.lock();
    try {
      KeyRing read = source.read();
      ring = read;
      return read;
    } finally {
      reading.unlock();
    }
  }

  /** Of many callers that find the ring stale, one reads and the others wait for it. */
  private KeyRing fresh() {
    KeyRing current = ring;
    if (!isStale(current)) {
      return current;
    }
    reading.lock();
    try {
      return isStale(ring) ? read() : ring;
    } catch (UnusableKeyException e) {
      throw new KeysUnavailable(e);
    } finally {
      reading.unlock();
    }
  }

  Instant now() {
    return clock.instant();
  }
}
