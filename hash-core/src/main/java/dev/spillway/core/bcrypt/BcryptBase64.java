package dev.spillway.core.bcrypt;

import java.util.Arrays;

/** bcrypt's own base64: another alphabet than RFC 4648 and no padding. */
public final class BcryptBase64 {
  private static final String ALPHABET =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final byte[] VALUES = new byte[128];

  static {
    Arrays.fill(VALUES, (byte) -1);
    for (int i = 0; i < ALPHABET.length(); i++) {
      VALUES[ALPHABET.charAt(i)] = (byte) i;
    }
  }

  private BcryptBase64() {}

  /** Encodes to {@code ceil(8n / 6)} characters; unused low bits of the last one are zero. */
  public static String encode(byte[] bytes) {
    StringBuilder out = new StringBuilder((bytes.length * 8 + 5) / 6);
    int buffer = 0;
    int bits = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8) | (b & 0xff);
      bits += 8;
      while (bits >= 6) {
        bits -= 6;
        out.append(ALPHABET.charAt((buffer >>> bits) & 0x3f));
      }
    }
    if (bits > 0) {
      out.append(ALPHABET.charAt((buffer << (6 - bits)) & 0x3f));
    }
    return out.toString();
  }

  /**
   * Decodes the first {@code length} bytes; surplus low bits of the last character are ignored, as
   * every bcrypt implementation does for salts.
   */
  static byte[] decode(String text, int length) {
    byte[] out = new byte[length];
    int buffer = 0;
    int bits = 0;
    int at = 0;
    for (int i = 0; i < text.length() && at < length; i++) {
      buffer = (buffer << 6) | value(text.charAt(i));
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        out[at++] = (byte) (buffer >>> bits);
      }
    }
    if (at < length) {
      throw new IllegalArgumentException("too short for " + length + " bytes");
    }
    return out;
  }

  static boolean isAlphabet(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (value(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** 0 to 63, or -1 for a character outside the alphabet. */
  static int value(char c) {
    return c < VALUES.length ? VALUES[c] : -1;
  }
}
