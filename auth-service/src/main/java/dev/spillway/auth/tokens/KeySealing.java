package dev.spillway.auth.tokens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encryption of signing keys for their table, so that a reader of the database cannot sign:
 * AES-256-GCM under a key from outside the database. The associated data is the key's id, so a
 * sealed key cannot replace another.
 */
final class KeySealing {
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, SecretKeySpec> keys;
  private final Optional<String> use;

  private KeySealing(Map<String, SecretKeySpec> keys, Optional<String> use) {
    this.keys = keys;
    this.use = use;
  }

  /** Nothing is sealed, and nothing that was can be opened. */
  static KeySealing none() {
    return new KeySealing(Map.of(), Optional.empty());
  }

  /**
   * @param files by name, each with 32 bytes in base64
   * @param use name of the one to seal with; empty to open only
   */
  static KeySealing of(Map<String, Path> files, Optional<String> use)
      throws IOException, UnusableKeyException {
    Map<String, SecretKeySpec> keys = new HashMap<>();
    for (Map.Entry<String, Path> file : files.entrySet()) {
      keys.put(file.getKey(), read(file.getValue()));
    }
    if (use.isPresent() && !keys.containsKey(use.get())) {
      throw new UnusableKeyException(
          "spillway.tokens.sealing.use names %s, and there is no spillway.tokens.sealing.keys.%s"
              .formatted(use.get(), use.get()));
    }
    return new KeySealing(keys, use);
  }

  private static SecretKeySpec read(Path file) throws IOException, UnusableKeyException {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      throw new UnusableKeyException(file + " is not base64");
    }
    if (bytes.length != KEY_BYTES) {
      throw new UnusableKeyException(
          "%s holds %d bytes instead of 32; openssl rand -base64 32 makes such a file"
              .formatted(file, bytes.length));
    }
    SecretKeySpec key = new SecretKeySpec(bytes, "AES");
    Arrays.fill(bytes, (byte) 0);
    return key;
  }

  /** Name of the key that {@link #seal} uses; empty if it leaves texts as they are. */
  Optional<String> use() {
    return use;
  }

  String seal(String text, String kid) {
    if (use.isEmpty()) {
      return text;
    }
    byte[] iv = new byte[IV_BYTES];
    RANDOM.nextBytes(iv);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, use.get(), iv, kid)
              .doFinal(text.getBytes(StandardCharsets.UTF_8));
      byte[] all = Arrays.copyOf(iv, IV_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, IV_BYTES, sealed.length);
      return Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  /**
   * @param sealedWith name of the key; null if it is not sealed
   */
  String open(String text, String sealedWith, String kid) throws UnusableKeyException {
    if (sealedWith == null) {
      return text;
    }
    if (!keys.containsKey(sealedWith)) {
      throw new UnusableKeyException(
          "it is sealed, and there is no spillway.tokens.sealing.keys." + sealedWith);
    }
    try {
      byte[] all = Base64.getDecoder().decode(text);
      if (all.length < IV_BYTES) {
        throw new IllegalArgumentException("too short to be sealed");
      }
      byte[] iv = Arrays.copyOf(all, IV_BYTES);
      return new String(
          cipher(Cipher.DECRYPT_MODE, sealedWith, iv, kid)
              .doFinal(all, IV_BYTES, all.length - IV_BYTES),
          StandardCharsets.UTF_8);
    } catch (AEADBadTagException | IllegalArgumentException e) {
      throw new UnusableKeyException(
          "it was not sealed with spillway.tokens.sealing.keys." + sealedWith);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  private Cipher cipher(int mode, String name, byte[] iv, String kid)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, keys.get(name), new GCMParameterSpec(TAG_BITS, iv));
    cipher.updateAAD(kid.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
