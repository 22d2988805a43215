package dev.spillway.auth.login;

import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.core.bcrypt.BcryptHash;
import java.security.SecureRandom;

/**
 * A hash to compare with when a login has no usable one, so that it costs the same and its answer
 * takes as long. Salt and digest are random: no password is known to match, and a match is ignored.
 */
final class Decoy {
  private static final String ALPHABET =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  /** Of sixteen bytes, in base64. */
  private static final int SALT = 22;

  private Decoy() {}

  /** Of bcrypt. */
  static String head(int cost) {
    return "$2b$%02d$".formatted(cost);
  }

  /** Whether hashes that begin like this can be verified. */
  static boolean isOf(String head, int maxCost) {
    return StoredHash.parse(text(head), maxCost) instanceof StoredHash.Parsed.Valid;
  }

  /**
   * @param head see {@link #isOf}
   */
  static StoredHash of(String head) {
    return switch (StoredHash.parse(text(head), Integer.MAX_VALUE)) {
      case StoredHash.Parsed.Valid(StoredHash hash) -> hash;
      case StoredHash.Parsed.Invalid invalid -> throw new IllegalArgumentException(head);
    };
  }

  private static String text(String head) {
    if (head.startsWith("$2")) {
      // The last character of a digest carries four bits only.
      return head + random(BcryptHash.LENGTH - head.length() - 1) + '.';
    }
    int length = head.indexOf(",l=");
    return length < 0
        ? head
        : head
            + random(SALT)
            + "$"
            + random(characters(head.substring(length + 3, head.length() - 1)));
  }

  /** Of base64 without padding. */
  private static int characters(String bytes) {
    return (Integer.parseInt(bytes) * 8 + 5) / 6;
  }

  private static String random(int length) {
    SecureRandom random = new SecureRandom();
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length - 1; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.append('.').toString();
  }
}
