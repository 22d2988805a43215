package dev.spillway.core.bcrypt;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The output of bcrypt: 31 characters for 184 bits. Two digests are compared in time that does not
 * depend on where they differ.
 */
public final class BcryptDigest {
  /** Length of the written form, in characters. */
  public static final int LENGTH = 31;

  private final String text;

  private BcryptDigest(String text) {
    this.text = text;
  }

  /**
   * Whether {@code text} can be a digest at all: 31 characters of the alphabet, the last of which
   * carries four bits, not six.
   */
  public static boolean isWellFormed(String text) {
    return text.length() == LENGTH
        && BcryptBase64.isAlphabet(text)
        && (BcryptBase64.value(text.charAt(LENGTH - 1)) & 3) == 0;
  }

  /**
   * @throws IllegalArgumentException if not {@link #isWellFormed}; the message does not repeat it
   */
  public static BcryptDigest of(String text) {
    if (!isWellFormed(text)) {
      throw new IllegalArgumentException("not a bcrypt digest");
    }
    return new BcryptDigest(text);
  }

  /** Equality in constant time. */
  public boolean matches(BcryptDigest other) {
    return MessageDigest.isEqual(
        text.getBytes(StandardCharsets.US_ASCII), other.text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The 31 characters. Never log them: with the setting they are what an attacker brute-forces. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BcryptDigest digest && matches(digest);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return "BcryptDigest[hidden]";
  }
}
