package dev.spillway.core.bcrypt;

import java.security.SecureRandom;
import java.util.Objects;

/**
 * The parameters of a digest besides the password: version, cost and salt; written {@code $2b$12$}
 * followed by 22 characters of salt. It holds no secret.
 *
 * @param cost binary logarithm of the number of key expansions, {@value #MIN_COST} to {@value
 *     #MAX_COST}
 * @param salt 22 characters of bcrypt's alphabet, standing for 128 bits
 */
public record BcryptSetting(BcryptVersion version, int cost, String salt) {
  /** Below 4 the algorithm itself is undefined. */
  public static final int MIN_COST = 4;

  /** Above 31 the count of expansions leaves an int; a service caps far lower. */
  public static final int MAX_COST = 31;

  /** Length of the written form, in characters. */
  public static final int LENGTH = 29;

  static final int SALT_LENGTH = 22;
  static final int SALT_BYTES = 16;

  public BcryptSetting {
    Objects.requireNonNull(version, "version");
    if (cost < MIN_COST || cost > MAX_COST) {
      throw new IllegalArgumentException("cost outside " + MIN_COST + ".." + MAX_COST);
    }
    if (salt.length() != SALT_LENGTH || !BcryptBase64.isAlphabet(salt)) {
      throw new IllegalArgumentException("salt is not 22 characters of bcrypt's alphabet");
    }
  }

  /** A setting with a fresh random salt. */
  public static BcryptSetting random(BcryptVersion version, int cost, SecureRandom random) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return new BcryptSetting(version, cost, BcryptBase64.encode(salt));
  }

  /**
   * Reads the written form.
   *
   * @throws IllegalArgumentException if {@code text} is not exactly one supported setting; the
   *     message never repeats the input
   */
  public static BcryptSetting parse(String text) {
    return switch (ParsedHash.ofSetting(text, MAX_COST)) {
      case ParsedHash.ValidSetting(BcryptSetting setting) -> setting;
      case ParsedHash.Invalid(ParsedHash.Reason reason) ->
          throw new IllegalArgumentException("not a bcrypt setting: " + reason.label());
    };
  }

  /** The 16 bytes of salt. */
  public byte[] saltBytes() {
    return BcryptBase64.decode(salt, SALT_BYTES);
  }

  @Override
  public String toString() {
    return "$" + version.prefix() + "$" + (cost < 10 ? "0" : "") + cost + "$" + salt;
  }
}
