package dev.spillway.core.bcrypt;

import java.util.Locale;

/** The result of parsing a stored string as a bcrypt hash or as a setting. */
public sealed interface ParsedHash {
  /** A hash that can be verified. */
  record Valid(BcryptHash hash) implements ParsedHash, OfHash {}

  /** A usable setting. */
  record ValidSetting(BcryptSetting setting) implements ParsedHash, OfSetting {}

  /** Not usable; no password can match it. */
  record Invalid(Reason reason) implements ParsedHash, OfHash, OfSetting {}

  /** Outcomes of {@link #of}. */
  sealed interface OfHash {}

  /** Outcomes of {@link #ofSetting}. */
  sealed interface OfSetting {}

  /** Why a string cannot be verified; low in number, fit for a metric's label. */
  enum Reason {
    /** Not shaped as bcrypt at all, or cut, padded or misspelt. */
    MALFORMED,
    /** {@code $2x$}: hashes of a faulty implementation (CVE-2011-2483), another function. */
    VERSION_2X,
    /** bcrypt, but of no version known here ({@code $2$}, {@code $2z$}). */
    UNKNOWN_VERSION,
    /** Below {@link BcryptSetting#MIN_COST}. */
    COST_TOO_LOW,
    /** Above the operator's cap: one such hash would hold a thread for seconds. */
    COST_TOO_HIGH;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads a stored hash: {@value BcryptHash#LENGTH} characters and nothing around them. */
  static OfHash of(String text, int maxCost) {
    if (text.length() < BcryptSetting.LENGTH) {
      return invalidOr(readable(text, maxCost), Reason.MALFORMED);
    }
    return switch (ofSetting(text.substring(0, BcryptSetting.LENGTH), maxCost)) {
      case Invalid invalid -> invalid;
      case ValidSetting(BcryptSetting setting) -> {
        String digest = text.substring(BcryptSetting.LENGTH);
        yield BcryptDigest.isWellFormed(digest)
            ? new Valid(new BcryptHash(setting, BcryptDigest.of(digest)))
            : new Invalid(Reason.MALFORMED);
      }
    };
  }

  /** Reads a setting: {@value BcryptSetting#LENGTH} characters and nothing around them. */
  static OfSetting ofSetting(String text, int maxCost) {
    Reason reason = readable(text, maxCost);
    if (reason != null) {
      return new Invalid(reason);
    }
    if (text.length() != BcryptSetting.LENGTH || !BcryptBase64.isAlphabet(text.substring(7))) {
      return new Invalid(Reason.MALFORMED);
    }
    BcryptVersion version =
        switch (text.charAt(2)) {
          case 'a' -> BcryptVersion.V2A;
          case 'b' -> BcryptVersion.V2B;
          default -> BcryptVersion.V2Y;
        };
    return new ValidSetting(new BcryptSetting(version, cost(text), text.substring(7)));
  }

  private static Invalid invalidOr(Reason reason, Reason otherwise) {
    return new Invalid(reason != null ? reason : otherwise);
  }

  /** Looks at version and cost only; null when both are usable. */
  private static Reason readable(String text, int maxCost) {
    if (!text.startsWith("$2") || text.length() < 4) {
      return Reason.MALFORMED;
    }
    char minor = text.charAt(2);
    if (minor == '$') {
      return Reason.UNKNOWN_VERSION;
    }
    if (text.charAt(3) != '$') {
      return Reason.MALFORMED;
    }
    if (minor == 'x') {
      return Reason.VERSION_2X;
    }
    if (minor != 'a' && minor != 'b' && minor != 'y') {
      return Reason.UNKNOWN_VERSION;
    }
    if (text.length() < 7
        || !isDigit(text.charAt(4))
        || !isDigit(text.charAt(5))
        || text.charAt(6) != '$') {
      return Reason.MALFORMED;
    }
    int cost = cost(text);
    if (cost < BcryptSetting.MIN_COST) {
      return Reason.COST_TOO_LOW;
    }
    return cost > maxCost || cost > BcryptSetting.MAX_COST ? Reason.COST_TOO_HIGH : null;
  }

  private static int cost(String text) {
    return (text.charAt(4) - '0') * 10 + (text.charAt(5) - '0');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
