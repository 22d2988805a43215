package dev.spillway.core.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The format of a sealed password: 12 bytes of nonce, then AES-256-GCM (NIST SP 800-38D) of its
 * length and the password, padded to 72 bytes, so that the size says nothing. The associated data
 * is all of the job that travels in clear: a seal is valid for one job, salt, cost and time only.
 */
final class Envelope {
  static final int NONCE_BYTES = 12;

  private static final int MAX_PASSWORD_BYTES = 72;
  private static final int TEXT_BYTES = 1 + MAX_PASSWORD_BYTES;
  private static final int TAG_BYTES = 16;

  /** Length of every sealed password. */
  static final int BYTES = NONCE_BYTES + TEXT_BYTES + TAG_BYTES;

  private Envelope() {}

  /**
   * @param nonce never used before with this key
   * @param password at most 72 bytes; left as it is
   */
  static byte[] seal(
      SecretKeySpec key, byte[] nonce, SealStamp stamp, SealedJob job, byte[] password) {
    byte[] text = new byte[TEXT_BYTES];
    text[0] = (byte) password.length;
    System.arraycopy(password, 0, text, 1, password.length);
    byte[] sealed = Arrays.copyOf(nonce, BYTES);
    try {
      cipher(Cipher.ENCRYPT_MODE, key, nonce, stamp, job)
          .doFinal(text, 0, TEXT_BYTES, sealed, NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
    return sealed;
  }

  /** Empty if the seal is of another key, job or time, or was changed. */
  static Optional<byte[]> open(SecretKeySpec key, SealStamp stamp, SealedJob job, byte[] sealed) {
    if (sealed.length != BYTES) {
      return Optional.empty();
    }
    byte[] text = new byte[TEXT_BYTES];
    try {
      cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOf(sealed, NONCE_BYTES), stamp, job)
          .doFinal(sealed, NONCE_BYTES, BYTES - NONCE_BYTES, text, 0);
      return text[0] < 0 || text[0] > MAX_PASSWORD_BYTES
          ? Optional.empty()
          : Optional.of(Arrays.copyOfRange(text, 1, 1 + text[0]));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  private static Cipher cipher(
      int mode, SecretKeySpec key, byte[] nonce, SealStamp stamp, SealedJob job)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    // None of the parts can hold a line feed, so no two jobs have the same.
    String bound =
        String.join(
            "\n",
            "spillway",
            stamp.keyId(),
            Long.toString(stamp.issuedAt()),
            job.id(),
            job.setting());
    cipher.updateAAD(bound.getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}
