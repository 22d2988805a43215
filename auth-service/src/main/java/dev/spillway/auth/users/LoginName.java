package dev.spillway.auth.users;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;

/**
 * The name a user logs in with, in the one form in which names are stored and compared: Unicode
 * NFC, lower case by the rules of no language. Blanks count; nothing is trimmed.
 */
public record LoginName(String text) {
  /** Longest name in UTF-16 units of the normal form; as long as an e-mail address may be. */
  public static final int MAX_LENGTH = 254;

  /** The rule in words, for those who broke it. */
  public static final String RULE =
      "must have 1 to "
          + MAX_LENGTH
          + " characters, none of them a control character or a byte order mark";

  private static final int BYTE_ORDER_MARK = 0xFEFF;
  private static final int REPLACEMENT = 0xFFFD;

  /** The normal form may be shorter than what was typed, though never by this much. */
  private static final int MAX_TYPED_LENGTH = 4 * MAX_LENGTH;

  public LoginName {
    if (!isWellFormed(text) || !text.equals(normalize(text))) {
      throw new IllegalArgumentException("not a login name in its normal form");
    }
  }

  /** What a user typed, as a name; empty if no user can have that name. */
  public static Optional<LoginName> parse(String typed) {
    if (typed == null || typed.length() > MAX_TYPED_LENGTH) {
      return Optional.empty();
    }
    String normal = normalize(typed);
    return isWellFormed(normal) ? Optional.of(new LoginName(normal)) : Optional.empty();
  }

  /**
   * A name read from the table, to be shown: in its normal form, with characters replaced that a
   * name cannot have. It may differ from what a user can log in with.
   */
  static LoginName shown(String stored) {
    return parse(stored)
        .orElseGet(
            () -> {
              StringBuilder text = new StringBuilder();
              stored
                  .codePoints()
                  .limit(MAX_LENGTH / 2)
                  .map(codePoint -> isRefused(codePoint) ? REPLACEMENT : codePoint)
                  .forEach(text::appendCodePoint);
              return parse(text.toString()).orElseGet(() -> new LoginName("\ufffd"));
            });
  }

  /**
   * Lower-casing may leave NFC, so NFC comes last; before it, it feeds equal text to equal text.
   */
  private static String normalize(String text) {
    String composed = Normalizer.normalize(text, Normalizer.Form.NFC);
    return Normalizer.normalize(composed.toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
  }

  private static boolean isWellFormed(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_LENGTH
        && text.codePoints().noneMatch(LoginName::isRefused);
  }

  /** A byte order mark is lost wherever a text is read that begins with it. */
  private static boolean isRefused(int codePoint) {
    if (codePoint == BYTE_ORDER_MARK) {
      return true;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
