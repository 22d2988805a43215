package dev.spillway.auth.login;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.hashing.Hashing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * Gives a user whose password was right a better hash of it, after the login and apart from it: no
 * login waits for it, fails with it, or is slower for it.
 */
@ApplicationScoped
class Rehash {
  /*
   * Invariants, each pinned by the test that carries its number in RehashTest:
   *
   *   R1  One at a time in an instance, and so of a user; a login that comes meanwhile is skipped, and
   *       there will be another login. Of two instances the first to store wins.
   *   R2  It is begun with a permit that is free at once, and gives way to any caller (HashPool P9).
   *   R3  It replaces the hash that was verified and no other: a password that was set meanwhile
   *       stays set.
   *   R4  Its copy of the password is wiped, whatever happens.
   */
  private static final Logger LOG = Logger.getLogger(Rehash.class);

  private final UserDirectory users;
  private final Hashing hashing;
  private final boolean enabled;
  private final MeterRegistry meters;
  private final Semaphore turn = new Semaphore(1);

  Rehash(UserDirectory users, Hashing hashing, HashingConfig config, MeterRegistry meters) {
    this.users = users;
    this.hashing = hashing;
    this.enabled = config.rehash();
    this.meters = meters;
  }

  private enum Outcome {
    /** The user has a new hash. */
    STORED,
    /** The stored hash was another by then. */
    SUPERSEDED,
    /** Another one was under way, or there was no capacity to spare. */
    SKIPPED,
    /** The database did not answer, or a bug. */
    FAILED
  }

  /**
   * Returns at once.
   *
   * @param verified the user's stored hash
   * @param otherForm whether it is of other bytes than {@code nfc}
   * @param nfc the password; copied
   */
  void offer(UserRecord user, StoredHash verified, boolean otherForm, byte[] nfc) {
    if (!enabled || !(otherForm || outdated(verified))) {
      return;
    }
    if (PasswordFault.of(nfc).isPresent()) {
      return; // composing made it longer than a password may be; the old hash is the only one
    }
    if (!turn.tryAcquire()) {
      count(Outcome.SKIPPED);
      return;
    }
    byte[] password = nfc.clone();
    try {
      Thread.ofVirtual().name("rehash").start(() -> run(user, verified, password));
    } catch (Throwable e) {
      Arrays.fill(password, (byte) 0);
      turn.release();
      LOG.debug("No thread for a rehash", e);
    }
  }

  private void run(UserRecord user, StoredHash verified, byte[] password) {
    Outcome outcome = Outcome.FAILED;
    try {
      Optional<BcryptHash> hash = hashing.createIfSpare(password, leastCost(verified));
      outcome =
          hash.isEmpty()
              ? Outcome.SKIPPED
              : users.replacePasswordHash(user, hash.get().encoded())
                  ? Outcome.STORED
                  : Outcome.SUPERSEDED;
    } catch (RuntimeException e) {
      LOG.debug("A rehash failed; the old hash stays", e);
    } finally {
      Arrays.fill(password, (byte) 0);
      turn.release();
      count(outcome);
    }
  }

  private boolean outdated(StoredHash verified) {
    return switch (verified) {
      case StoredHash.Bcrypt(BcryptHash hash) -> hashing.outdated(hash);
      case StoredHash.Foreign foreign -> true;
    };
  }

  /** A bcrypt hash's cost is never lowered; what another kind cost says nothing. */
  private static int leastCost(StoredHash verified) {
    return switch (verified) {
      case StoredHash.Bcrypt bcrypt -> bcrypt.cost();
      case StoredHash.Foreign foreign -> 0;
    };
  }

  private void count(Outcome outcome) {
    Counter.builder("spillway.rehash")
        .description("Better hashes of right passwords, by what came of them")
        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
        .register(meters)
        .increment();
  }
}
