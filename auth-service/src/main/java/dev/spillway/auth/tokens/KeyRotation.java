package dev.spillway.auth.tokens;

import dev.spillway.auth.database.AddedRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Gives keys their successors: published at once, signing after a wait, while the key before it
 * stays published until its last token has ended. All times of a rotation are written down as soon
 * as the key can be read, and every instance follows them by itself.
 */
public final class KeyRotation {
  private static final Logger LOG = Logger.getLogger(KeyRotation.class);

  private final SigningKeys keys;
  private final Optional<SigningKeyTable> table;
  private final RotationTimes times;
  private final Supplier<SigningKey> generator;
  private final KeyMeters meters;

  /**
   * @param table empty if keys come from files
   */
  KeyRotation(
      SigningKeys keys,
      Optional<SigningKeyTable> table,
      RotationTimes times,
      Supplier<SigningKey> generator,
      KeyMeters meters) {
    this.keys = keys;
    this.table = table;
    this.times = times;
    this.generator = generator;
    this.meters = meters;
  }

  /**
   * Begins a rotation.
   *
   * @param extra told false if none has begun
   * @throws dev.spillway.auth.http.Unavailable if the database does not answer
   */
  public Rotation rotate(AddedRows<Boolean> extra) {
    return table.map(rows -> rotate(rows, "command", extra)).orElseGet(Rotation.NotOurs::new);
  }

  /** All keys that are published, the oldest first. */
  public List<PublishedKey> published() {
    KeyRing ring = keys.ring();
    return ring.keys().stream().map(key -> shown(ring, key)).toList();
  }

  /**
   * What every instance does at every interval: reads the keys, begins a rotation that is due, goes
   * on with one that somebody had to leave, deletes what is retired. Never throws.
   */
  void refresh() {
    try {
      KeyRing ring = keys.read();
      meters.read(true);
      table.ifPresent(
          rows -> {
            if (ring.newest().signsFrom().equals(Instant.MAX)) {
              rows.schedule(times.waiting(), times.overlap());
            }
            if (isDue(ring)) {
              rotate(rows, "schedule", AddedRows.nothing());
            }
            int deleted = rows.deleteRetired();
            if (deleted > 0) {
              LOG.infof("Deleted %d retired signing keys", deleted);
            }
          });
    } catch (UnusableKeyException e) {
      meters.read(false);
      LOG.errorf("A signing key in the database cannot be used here: %s", e.getMessage());
    } catch (RuntimeException e) {
      meters.read(false);
      LOG.debug("Could not read the signing keys; the last ones stay", e);
    }
  }

  /** To be called at the start: another algorithm needs another key, like any other rotation. */
  void beginIfAlgorithmChanged(SigningAlgorithm algorithm) {
    if (keys.ring().newest().key().algorithm() != algorithm) {
      table.ifPresent(rows -> rotate(rows, "algorithm", AddedRows.nothing()));
    }
  }

  private Rotation rotate(SigningKeyTable rows, String reason, AddedRows<Boolean> extra) {
    try {
      KeyRing before = keys.read();
      boolean begun =
          before.state(before.newest(), keys.now()) == KeyState.SIGNING
              && rows.append(
                  generator.get(),
                  before.newest().generation(),
                  times.waiting(),
                  times.overlap(),
                  extra);
      KeyRing after = keys.read();
      PublishedKey newest = shown(after, after.newest());
      if (!begun) {
        return new Rotation.UnderWay(newest);
      }
      meters.rotated(reason);
      LOG.infof(
          "Key rotation (%s): %s key %s is published and signs from %s",
          reason, newest.algorithm(), newest.kid(), after.newest().signsFrom());
      return new Rotation.Begun(newest);
    } catch (UnusableKeyException e) {
      throw new KeysUnavailable(e);
    }
  }

  private boolean isDue(KeyRing ring) {
    Instant there = keys.now().plus(ring.ahead());
    Duration age = Duration.between(ring.newest().publishedAt(), there);
    return times.every().filter(every -> age.compareTo(every) >= 0).isPresent();
  }

  private PublishedKey shown(KeyRing ring, RingKey key) {
    return PublishedKey.of(key, ring.state(key, keys.now()));
  }
}
