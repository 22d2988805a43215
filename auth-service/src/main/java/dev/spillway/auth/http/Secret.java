package dev.spillway.auth.http;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A password of a request: characters that can be wiped and that no log shows.
 *
 * <p>It always has a UTF-8 form: text with half of a surrogate pair is refused. Wiping is best
 * effort, because the JSON parser and the network had buffers of their own.
 */
@JsonDeserialize(using = SecretDeserializer.class)
@Schema(
    implementation = String.class,
    type = SchemaType.STRING,
    format = "password",
    examples = "violet-anvil-42")
public final class Secret {
  private final char[] chars;

  private Secret(char[] chars) {
    this.chars = chars;
  }

  /**
   * Copies {@code length} characters.
   *
   * @throws IllegalArgumentException if they have no UTF-8 form
   */
  public static Secret of(char[] source, int offset, int length) {
    if (hasLoneSurrogate(CharBuffer.wrap(source, offset, length))) {
      throw new IllegalArgumentException("half of a surrogate pair");
    }
    return new Secret(Arrays.copyOfRange(source, offset, offset + length));
  }

  /**
   * Copies all characters; for tests and for text that is a string anyway.
   *
   * @throws IllegalArgumentException if they have no UTF-8 form
   */
  public static Secret of(CharSequence text) {
    char[] source = text.toString().toCharArray();
    return of(source, 0, source.length);
  }

  /** A new array of its own, for the caller to wipe. */
  public byte[] utf8() {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(chars));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      Arrays.fill(encoded.array(), (byte) 0);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalStateException("was checked when this secret was made", e);
    }
  }

  /** Overwrites the characters with NUL; {@link #utf8} must not be used afterwards. */
  public void wipe() {
    Arrays.fill(chars, '\0');
  }

  public boolean isEmpty() {
    return chars.length == 0;
  }

  @Override
  public String toString() {
    return "Secret[hidden]";
  }

  private static boolean hasLoneSurrogate(CharSequence text) {
    return text.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }
}
