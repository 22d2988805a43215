package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.KeyDerivation.Argon2;
import dev.spillway.auth.hashing.KeyDerivation.Pbkdf2;
import dev.spillway.auth.hashing.KeyDerivation.Pbkdf2.Hmac;
import dev.spillway.auth.hashing.KeyDerivation.Scrypt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The forms in which other systems store hashes that are no bcrypt: the PHC string format, which is
 * ours too, and those of passlib, Django and Spring Security.
 */
final class ForeignForms {
  private static final String B64 = "([A-Za-z0-9+/.]{1,172}={0,2})";
  private static final String NUMBER = "([1-9][0-9]{0,8})";
  private static final int LONGEST_KEY = 64;

  /** Ours, with the length of the key, and what jq makes of Keycloak's. */
  private static final Pattern PBKDF2 =
      Pattern.compile(
          "\\$pbkdf2-(sha1|sha256|sha512)\\$i=" + NUMBER + "(?:,l=[0-9]+)?\\$" + B64 + "\\$" + B64);

  /** passlib.hash.pbkdf2_sha256; its base64 has a point for the plus. */
  private static final Pattern PBKDF2_PASSLIB =
      Pattern.compile("\\$pbkdf2(|-sha256|-sha512)\\$" + NUMBER + "\\$" + B64 + "\\$" + B64);

  /** The salt is text. */
  private static final Pattern PBKDF2_DJANGO =
      Pattern.compile("pbkdf2_(sha1|sha256)\\$" + NUMBER + "\\$([^$]{1,128})\\$" + B64);

  private static final Pattern SCRYPT =
      Pattern.compile(
          "\\$scrypt\\$ln=([0-9]{1,2}),r=([0-9]{1,3}),p=([0-9]{1,3})(?:,l=[0-9]+)?\\$"
              + B64
              + "\\$"
              + B64);

  private static final Pattern SCRYPT_DJANGO =
      Pattern.compile(
          "scrypt\\$" + NUMBER + "\\$([^$]{1,128})\\$([0-9]{1,3})\\$([0-9]{1,3})\\$" + B64);

  /** Hexadecimal: log2 N, then two digits each for r and p. */
  private static final Pattern SCRYPT_SPRING =
      Pattern.compile("\\$([0-9a-f]{1,2})([0-9a-f]{2})([0-9a-f]{2})\\$" + B64 + "\\$" + B64);

  private static final Pattern ARGON2 =
      Pattern.compile(
          "\\$argon2(id|i|d)(?:\\$v=(16|19))?\\$m="
              + NUMBER
              + ",t="
              + NUMBER
              + ",p="
              + NUMBER
              + "(?:,l=[0-9]+)?\\$"
              + B64
              + "\\$"
              + B64);

  private static final Pattern SPRING = Pattern.compile("\\{([A-Za-z0-9_@]{1,40})}(.*)");

  private ForeignForms() {}

  /** Empty if it is none of them. */
  static Optional<StoredHash.Foreign> read(String text) {
    try {
      Matcher spring = SPRING.matcher(text);
      return spring.matches() ? spring(spring.group(1), spring.group(2)) : plain(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // no base64, no hexadecimal, or a number out of bounds
    }
  }

  private static Optional<StoredHash.Foreign> plain(String text) {
    Matcher m = PBKDF2.matcher(text);
    if (m.matches()) {
      return pbkdf2(m.group(1), m.group(2), base64(m.group(3)), base64(m.group(4)));
    }
    m = PBKDF2_PASSLIB.matcher(text);
    if (m.matches()) {
      String hmac = m.group(1).isEmpty() ? "sha1" : m.group(1).substring(1);
      return pbkdf2(hmac, m.group(2), base64(m.group(3)), base64(m.group(4)));
    }
    m = PBKDF2_DJANGO.matcher(text);
    if (m.matches()) {
      return pbkdf2(m.group(1), m.group(2), bytes(m.group(3)), base64(m.group(4)));
    }
    m = SCRYPT.matcher(text);
    if (m.matches()) {
      return scrypt(
          number(m.group(1)),
          number(m.group(2)),
          number(m.group(3)),
          base64(m.group(4)),
          base64(m.group(5)));
    }
    m = SCRYPT_DJANGO.matcher(text);
    if (m.matches()) {
      int n = number(m.group(1));
      return Integer.bitCount(n) != 1
          ? Optional.empty()
          : scrypt(
              Integer.numberOfTrailingZeros(n),
              number(m.group(3)),
              number(m.group(4)),
              bytes(m.group(2)),
              base64(m.group(5)));
    }
    m = ARGON2.matcher(text.startsWith("argon2$") ? text.substring("argon2".length()) : text);
    return m.matches() ? argon2(m) : Optional.empty();
  }

  /** As DelegatingPasswordEncoder writes it, of the encoders' defaults before and since 5.8. */
  private static Optional<StoredHash.Foreign> spring(String id, String text) {
    return switch (id) {
      case "argon2", "argon2@SpringSecurity_v5_8" -> plain(text);
      case "scrypt", "scrypt@SpringSecurity_v5_8" -> {
        Matcher m = SCRYPT_SPRING.matcher(text);
        yield m.matches()
            ? scrypt(
                HexFormat.fromHexDigits(m.group(1)),
                HexFormat.fromHexDigits(m.group(2)),
                HexFormat.fromHexDigits(m.group(3)),
                base64(m.group(4)),
                base64(m.group(5)))
            : Optional.empty();
      }
      case "pbkdf2" -> springPbkdf2(text, "sha1", "185000", 8);
      case "pbkdf2@SpringSecurity_v5_8" -> springPbkdf2(text, "sha256", "310000", 16);
      default -> Optional.empty();
    };
  }

  private static Optional<StoredHash.Foreign> springPbkdf2(
      String text, String hmac, String iterations, int saltLength) {
    byte[] both = HexFormat.of().parseHex(text);
    return both.length == saltLength + 32
        ? pbkdf2(
            hmac,
            iterations,
            Arrays.copyOf(both, saltLength),
            Arrays.copyOfRange(both, saltLength, both.length))
        : Optional.empty();
  }

  private static Optional<StoredHash.Foreign> pbkdf2(
      String hmac, String iterations, byte[] salt, byte[] key) {
    return of(
        new Pbkdf2(Hmac.valueOf(hmac.toUpperCase(Locale.ROOT)), number(iterations), key.length),
        salt,
        key);
  }

  private static Optional<StoredHash.Foreign> scrypt(
      int logN, int r, int p, byte[] salt, byte[] key) {
    return logN < 1 || logN > 24 || logN >= 16 * r || r < 1 || p < 1
        ? Optional.empty()
        : of(new Scrypt(logN, r, p, key.length), salt, key);
  }

  private static Optional<StoredHash.Foreign> argon2(Matcher m) {
    byte[] key = base64(m.group(7));
    Argon2.Type type = Argon2.Type.valueOf("ARGON2" + m.group(1).toUpperCase(Locale.ROOT));
    // Without a version it is of the first one, 0x10.
    int version = m.group(2) == null ? 16 : number(m.group(2));
    int kibibytes = number(m.group(3));
    int lanes = number(m.group(5));
    byte[] salt = base64(m.group(6));
    return lanes > 255 || kibibytes < 8 * lanes || salt.length < 8
        ? Optional.empty()
        : of(
            new Argon2(type, version, kibibytes, number(m.group(4)), lanes, key.length), salt, key);
  }

  private static Optional<StoredHash.Foreign> of(
      KeyDerivation derivation, byte[] salt, byte[] key) {
    // A short key would match by chance.
    return key.length < 16 || key.length > LONGEST_KEY || salt.length > LONGEST_KEY
        ? Optional.empty()
        : Optional.of(
            new StoredHash.Foreign(
                derivation, new StoredHash.Bytes(salt), new StoredHash.Bytes(key)));
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** With or without padding, and passlib's point for a plus. */
  private static byte[] base64(String text) {
    return Base64.getDecoder().decode(text.replace('.', '+').replace("=", ""));
  }
}
