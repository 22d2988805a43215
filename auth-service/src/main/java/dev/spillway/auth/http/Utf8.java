package dev.spillway.auth.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as it may arrive. */
public final class Utf8 {
  private Utf8() {}

  /** Whether these bytes are UTF-8: no overlong sequence, no surrogate. */
  public static boolean isValid(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
