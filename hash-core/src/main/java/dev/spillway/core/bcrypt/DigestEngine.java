package dev.spillway.core.bcrypt;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Computes bcrypt digests on the calling thread. An engine may work on several jobs at once,
 * interleaved in the one thread ("lanes"): independent hashes fill each other's waits for the
 * first-level cache.
 *
 * <p>Engines hold no state between calls and may be shared by threads.
 */
public interface DigestEngine {
  /** Short name for logs, metrics and configuration. */
  String name();

  /** How many jobs one call of {@link #run} works on side by side, at least 1. */
  int lanes();

  /**
   * Runs {@code first}, and whatever {@code backlog} hands out while lanes are free, until no job
   * is left. Every job taken ends exactly once, by {@link DigestJob#end}; an engine never throws
   * for a job's sake.
   */
  void run(DigestJob first, Backlog backlog);

  /** Computes one digest, alone. The password is at most 72 bytes and is left as it is. */
  default BcryptDigest digest(BcryptSetting setting, byte[] password) {
    AtomicReference<DigestResult> ended = new AtomicReference<>();
    run(
        new DigestJob() {
          @Override
          public BcryptSetting setting() {
            return setting;
          }

          @Override
          public byte[] password() {
            return password;
          }

          @Override
          public boolean abandoned() {
            return false;
          }

          @Override
          public void end(DigestResult result) {
            ended.set(result);
          }
        },
        Backlog.EMPTY);
    return switch (ended.get()) {
      case DigestResult.Digested(BcryptDigest digest) -> digest;
      case DigestResult.Failed(RuntimeException cause) -> throw cause;
      case DigestResult.Abandoned() -> throw new IllegalStateException("abandoned");
    };
  }
}
