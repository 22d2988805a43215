package dev.spillway.auth.sessions;

import dev.spillway.auth.http.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that continues a session, {@code refresh_token} to clients. It is 48 bytes in
 * base64url: 16 that name the session, and 32 that are secret, of which only a hash is stored. The
 * first ones are random. Each successor is derived from its predecessor and a random salt that
 * never leaves the database, so a client that asks twice gets the same one twice.
 */
final class RefreshSecret {
  static final int TEXT_LENGTH = 64;

  private static final int ID_BYTES = 16;
  private static final int SECRET_BYTES = 32;
  private static final String HMAC = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final byte[] id;
  private final byte[] secret;

  private RefreshSecret(byte[] id, byte[] secret) {
    this.id = id;
    this.secret = secret;
  }

  /** The first of a new session. */
  static RefreshSecret random() {
    return new RefreshSecret(randomBytes(ID_BYTES), randomBytes(SECRET_BYTES));
  }

  /** Empty if it is none of ours. */
  static Optional<RefreshSecret> parse(Secret typed) {
    byte[] text = typed.utf8();
    try {
      if (text.length != TEXT_LENGTH) {
        return Optional.empty();
      }
      byte[] bytes = DECODER.decode(text);
      if (bytes.length != ID_BYTES + SECRET_BYTES) {
        return Optional.empty();
      }
      return Optional.of(
          new RefreshSecret(
              Arrays.copyOf(bytes, ID_BYTES), Arrays.copyOfRange(bytes, ID_BYTES, bytes.length)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  /** For the client, and for nobody else. */
  String text() {
    byte[] bytes = Arrays.copyOf(id, ID_BYTES + SECRET_BYTES);
    System.arraycopy(secret, 0, bytes, ID_BYTES, SECRET_BYTES);
    return ENCODER.encodeToString(bytes);
  }

  String sessionId() {
    return ENCODER.encodeToString(id);
  }

  /** As it is stored. A fast hash is right: nobody guesses 256 random bits. */
  String hash() {
    try {
      return ENCODER.encodeToString(MessageDigest.getInstance("SHA-256").digest(secret));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  /** In constant time. */
  boolean hashesTo(String stored) {
    return MessageDigest.isEqual(
        hash().getBytes(StandardCharsets.US_ASCII), stored.getBytes(StandardCharsets.US_ASCII));
  }

  static String salt() {
    return ENCODER.encodeToString(randomBytes(SECRET_BYTES));
  }

  /** Nobody without this secret and the salt can tell it. */
  RefreshSecret successor(String salt) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret, HMAC));
      return new RefreshSecret(id, mac.doFinal(DECODER.decode(salt)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  private static byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "RefreshSecret[hidden]";
  }
}
