package dev.spillway.core.seal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that seal jobs, by their ids, as both sides read them from their secret store:
 *
 * <pre>
 * {"a":"(64 hexadecimal digits)","b":"(64 more)"}
 * </pre>
 */
public final class SealKeys {
  /** Longest id, in characters. */
  static final int MAX_ID_LENGTH = 32;

  private static final int KEY_BYTES = 32;
  private static final SealKeys NONE = new SealKeys(Map.of());

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private final Map<String, SecretKeySpec> byId;

  private SealKeys(Map<String, SecretKeySpec> byId) {
    this.byId = byId;
  }

  /** No keys: nothing can be opened. */
  public static SealKeys none() {
    return NONE;
  }

  /**
   * @throws IllegalArgumentException for another format; the message repeats nothing of the text
   */
  public static SealKeys parse(String json) {
    Map<String, SecretKeySpec> keys = new TreeMap<>();
    try (JsonParser parser = JSON.createParser(json)) {
      expect(parser.nextToken() == JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String id = parser.currentName();
        expect(isId(id) && parser.nextToken() == JsonToken.VALUE_STRING);
        keys.put(id, key(parser.getText()));
      }
      expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
      expect(!keys.isEmpty());
    } catch (IOException e) {
      throw malformed(); // Jackson's own message may quote the input
    }
    return new SealKeys(keys);
  }

  private static SecretKeySpec key(String hex) {
    byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw malformed(); // this one's message does quote it
    }
    expect(bytes.length == KEY_BYTES);
    SecretKeySpec key = new SecretKeySpec(bytes, "AES");
    Arrays.fill(bytes, (byte) 0);
    return key;
  }

  private static void expect(boolean holds) {
    if (!holds) {
      throw malformed();
    }
  }

  private static IllegalArgumentException malformed() {
    return new IllegalArgumentException(
        "must be a JSON object of keys by their ids, each key 64 hexadecimal digits, each id 1 to "
            + MAX_ID_LENGTH
            + " letters, digits, - or _");
  }

  static boolean isId(String text) {
    return text.length() <= MAX_ID_LENGTH && text.matches("[A-Za-z0-9_-]+");
  }

  public boolean isEmpty() {
    return byId.isEmpty();
  }

  public Set<String> ids() {
    return byId.keySet();
  }

  Optional<SecretKeySpec> key(SealStamp stamp) {
    return Optional.ofNullable(byId.get(stamp.keyId()));
  }

  /** Leaves the keys out. */
  @Override
  public String toString() {
    return "SealKeys" + byId.keySet();
  }
}
