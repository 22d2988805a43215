package dev.spillway.core.seal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;

/** The function's side: opens recent seals of any of its keys. */
public final class Opener {
  private final SealKeys keys;
  private final boolean required;
  private final Duration window;
  private final InstantSource clock;

  /**
   * @param required whether a password that is not sealed is refused
   * @param window how far a stamp may lie in the past, or in the future
   * @throws IllegalArgumentException if sealing is required and there is no key
   */
  public Opener(SealKeys keys, boolean required, Duration window, InstantSource clock) {
    if (required && keys.isEmpty()) {
      throw new IllegalArgumentException("sealing is required, and there is no key");
    }
    this.keys = keys;
    this.required = required;
    this.window = window;
    this.clock = clock;
  }

  /** An opener without keys: it accepts passwords in clear only. */
  public static Opener none() {
    return new Opener(SealKeys.none(), false, Duration.ZERO, InstantSource.system());
  }

  /** Whether a password that is not sealed is refused. */
  public boolean required() {
    return required;
  }

  public Opened open(SealStamp stamp, SealedJob job, byte[] sealed) {
    Optional<SecretKeySpec> key = keys.key(stamp);
    if (key.isEmpty()) {
      return new Opened.UnknownKey();
    }
    // The seal is checked first: the time of a forged one means nothing.
    Optional<byte[]> password = Envelope.open(key.get(), stamp, job, sealed);
    if (password.isEmpty()) {
      return new Opened.Broken();
    }
    long age = clock.instant().getEpochSecond() - stamp.issuedAt();
    if (Math.abs(age) > window.toSeconds()) {
      Arrays.fill(password.get(), (byte) 0);
      return new Opened.Stale();
    }
    return new Opened.Password(password.get());
  }

  /**
   * Seals and opens once under a fixed key, so that the first real job does not load AES, and a
   * runtime without AES does not start.
   */
  public static void warmUp() {
    SecretKeySpec known = new SecretKeySpec(new byte[32], "AES");
    SealStamp stamp = new SealStamp("known", 0);
    SealedJob job = new SealedJob("0", "");
    byte[] sealed = Envelope.seal(known, new byte[Envelope.NONCE_BYTES], stamp, job, new byte[1]);
    if (Envelope.open(known, stamp, job, sealed).isEmpty()) {
      throw new IllegalStateException("AES-GCM does not open what it has sealed");
    }
  }
}
