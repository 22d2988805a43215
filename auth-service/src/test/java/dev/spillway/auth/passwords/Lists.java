package dev.spillway.auth.passwords;

import dev.spillway.auth.ConfigText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** Lists of breached passwords, for tests. */
public final class Lists {
  private Lists() {}

  /** As it is made of a file in this directory. */
  public static BreachedPasswords of(Path directory, String... passwords) throws IOException {
    return at(write(directory.resolve("breached.txt"), passwords));
  }

  static BreachedPasswords at(Path file) {
    return new BreachedPasswords(
        ConfigText.read(
            PasswordsConfig.class, "spillway.passwords.breached-file", file.toString()));
  }

  /** As they are published: upper case, a count, CR LF. */
  static Path write(Path file, String... passwords) throws IOException {
    return Files.writeString(
        file,
        Arrays.stream(passwords)
            .map(password -> HexFormat.of().withUpperCase().formatHex(sha1(password)))
            .sorted()
            .map(digest -> digest + ":" + 1 + digest.charAt(0) % 100 + "\r\n")
            .collect(Collectors.joining()));
  }

  static byte[] sha1(String password) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
