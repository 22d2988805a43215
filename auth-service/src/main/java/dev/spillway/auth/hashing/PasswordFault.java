package dev.spillway.auth.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import java.util.Optional;

/** Why bytes cannot be a password here. */
public enum PasswordFault {
  /** No bytes at all. */
  EMPTY("must not be empty"),
  /** bcrypt reads 72 bytes and no more: two long passwords could be one (CVE-2025-22228). */
  TOO_LONG("must be at most 72 bytes in UTF-8"),
  /** Implementations in C stop at a NUL, so what follows it may or may not count. */
  NUL("must not contain a NUL character");

  private final String message;

  PasswordFault(String message) {
    this.message = message;
  }

  /** The rule, in words that fit after a field's name. */
  public String message() {
    return message;
  }

  /** The first fault found, if any. */
  public static Optional<PasswordFault> of(byte[] password) {
    if (password.length == 0) {
      return Optional.of(EMPTY);
    }
    for (byte b : password) {
      if (b == 0) {
        return Optional.of(NUL);
      }
    }
    return password.length > BcryptHash.MAX_PASSWORD_BYTES
        ? Optional.of(TOO_LONG)
        : Optional.empty();
  }
}
