package dev.spillway.core.seal;

import java.security.SecureRandom;
import java.time.InstantSource;
import javax.crypto.spec.SecretKeySpec;

/** The service's side: seals passwords with one key. */
public final class Sealer {
  private final String keyId;
  private final SecretKeySpec key;
  private final InstantSource clock;

  /** Of the instance, not of the class: a native image must not be built with a seed in it. */
  private final SecureRandom random = new SecureRandom();

  /**
   * @param use id of the key to seal with
   * @throws IllegalArgumentException if {@code keys} has none of this id
   */
  public Sealer(SealKeys keys, String use, InstantSource clock) {
    if (!keys.ids().contains(use)) {
      throw new IllegalArgumentException("there is no key of the id " + use);
    }
    this.keyId = use;
    this.key = keys.key(new SealStamp(use, 0)).orElseThrow();
    this.clock = clock;
  }

  /** For the seals of one request, which is to be sent at once. */
  public SealStamp stamp() {
    return new SealStamp(keyId, clock.instant().getEpochSecond());
  }

  /**
   * Under a nonce of 96 random bits: after 2^32 seals with one key the odds that two were equal are
   * one in 2^33 (SP 800-38D, 8.3).
   *
   * @param stamp one of this sealer's
   * @param password at most 72 bytes; left as it is
   */
  public byte[] seal(SealStamp stamp, SealedJob job, byte[] password) {
    byte[] nonce = new byte[Envelope.NONCE_BYTES];
    random.nextBytes(nonce);
    return Envelope.seal(key, nonce, stamp, job, password);
  }
}
