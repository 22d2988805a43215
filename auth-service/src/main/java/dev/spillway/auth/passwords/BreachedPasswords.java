package dev.spillway.auth.passwords;

import dev.spillway.auth.hashing.PasswordForms;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The list of breached passwords, if one is configured. A listed password cannot be set. It can be
 * logged in with, because the list may have grown since.
 */
@ApplicationScoped
public class BreachedPasswords {
  private static final Logger LOG = Logger.getLogger(BreachedPasswords.class);

  private final Optional<BreachedFile> list;

  /**
   * @throws IllegalArgumentException if the file cannot be searched
   */
  BreachedPasswords(PasswordsConfig config) {
    this.list = config.breachedFile().map(BreachedPasswords::checked);
  }

  /** An unusable list stops the start, and not the first who sets a password. */
  void start(@Observes StartupEvent event) {
    list.ifPresent(file -> LOG.infof("Passwords that are set are looked up in %s", file));
  }

  /**
   * Whether one of a password's forms is in the list.
   *
   * <p>The list has digests of passwords as other services stored them. This service hashes the NFC
   * of what was typed, so it looks that up, and the bytes as typed where the two differ: a service
   * that does not compose leaks the latter, and an attacker who tries it here has it composed by
   * this service.
   *
   * @throws ListUnavailable if the list cannot be read any more
   */
  public boolean contains(PasswordForms password) {
    return list.isPresent() && password.all().stream().anyMatch(form -> contains(list.get(), form));
  }

  private static boolean contains(BreachedFile list, byte[] password) {
    byte[] sha1 = sha1(password);
    try {
      return list.contains(sha1);
    } catch (IOException e) {
      LOG.error("A new password cannot be looked up, and is refused", e);
      throw new ListUnavailable(e);
    } finally {
      Arrays.fill(sha1, (byte) 0);
    }
  }

  private static byte[] sha1(byte[] password) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(password);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private static BreachedFile checked(Path path) {
    BreachedFile file = new BreachedFile(path);
    try {
      file.check();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "spillway.passwords.breached-file cannot be used: %s: %s".formatted(path, e.getMessage()),
          e);
    }
    return file;
  }
}
