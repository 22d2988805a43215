package dev.spillway.auth.hashing;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes that a typed password may have been hashed as. One browser sends an é as one character
 * and another as an e with an accent: Unicode's NFC makes them one, and passwords are hashed in it
 * (RFC 8265, 4.2). Hashes from before, or from elsewhere, may be of the bytes as they came, so
 * those are a second form where they are others. Never NFKC: it would make one password of several
 * that look different.
 */
public final class PasswordForms implements AutoCloseable {
  private final byte[] typed;
  private final byte[] nfc;

  private PasswordForms(byte[] typed, byte[] nfc) {
    this.typed = typed;
    this.nfc = nfc;
  }

  /**
   * @param typed in UTF-8; left as it is, and not copied
   */
  public static PasswordForms of(byte[] typed) {
    return new PasswordForms(typed, isAscii(typed) ? typed : composed(typed));
  }

  /** What new hashes are made of. */
  public byte[] nfc() {
    return nfc;
  }

  /** One, or both, in the order in which they are to be tried. */
  public List<byte[]> all() {
    return nfc == typed ? List.of(nfc) : List.of(nfc, typed);
  }

  /** Wipes the form that was not given. */
  @Override
  public void close() {
    if (nfc != typed) {
      Arrays.fill(nfc, (byte) 0);
    }
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  /** The same array if nothing changes. Only what does change becomes a String, unwiped. */
  private static byte[] composed(byte[] typed) {
    CharBuffer chars;
    try {
      chars = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(typed));
    } catch (CharacterCodingException e) {
      return typed; // no text, so no other form of it
    }
    try {
      return Normalizer.isNormalized(chars, Normalizer.Form.NFC)
          ? typed
          : Normalizer.normalize(chars, Normalizer.Form.NFC).getBytes(StandardCharsets.UTF_8);
    } finally {
      Arrays.fill(chars.array(), '\0');
    }
  }
}
