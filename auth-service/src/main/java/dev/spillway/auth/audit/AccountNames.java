package dev.spillway.auth.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names of accounts in the audit log: an existing account by its login, unless names are keyed; a
 * name without an account always by HMAC-SHA-256 (RFC 2104), because people type passwords into the
 * wrong field.
 */
final class AccountNames {
  private static final String HMAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final boolean clear;
  private final SecretKeySpec key;

  private AccountNames(boolean clear, byte[] key) {
    this.clear = clear;
    this.key = new SecretKeySpec(key, HMAC);
  }

  /**
   * @throws IllegalArgumentException if names are keyed and there is no key, or the file has none
   */
  static AccountNames of(AuditConfig config) {
    boolean clear = config.logins() == AuditConfig.Logins.CLEAR;
    if (!clear && config.keyFile().isEmpty()) {
      throw new IllegalArgumentException(
          "spillway.audit.logins=keyed needs spillway.audit.key-file: a key that nobody keeps makes"
              + " names that nobody finds again");
    }
    return new AccountNames(
        clear, config.keyFile().map(AccountNames::read).orElseGet(() -> made()));
  }

  /** The name to show, if it may be. */
  Optional<String> shown(AuditEvent event) {
    return clear && event.exists() ? Optional.ofNullable(event.login()) : Optional.empty();
  }

  /** An admin is somebody. */
  String actor(String login) {
    return clear ? login : keyed(login);
  }

  /** HMAC-SHA-256 in base64url. */
  String keyed(String login) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      byte[] digest = mac.doFinal(AuditEvent.cut(login).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
    }
  }

  private static byte[] made() {
    byte[] made = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(made);
    return made;
  }

  private static byte[] read(Path file) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("spillway.audit.key-file cannot be read: " + file, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("spillway.audit.key-file is not base64: " + file);
    }
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "spillway.audit.key-file holds %d bytes instead of 32; openssl rand -base64 32 makes such a file"
              .formatted(bytes.length));
    }
    return bytes;
  }
}
