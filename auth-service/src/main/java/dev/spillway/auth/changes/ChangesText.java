package dev.spillway.auth.changes;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the file of changes may say. */
final class ChangesText {
  private static final int LONGEST = 64 * 1024;

  private static final Pattern MAY_CHANGE =
      Pattern.compile(
          "spillway\\.pool\\.enqueue-timeout"
              + "|spillway\\.spill\\.(retry-percent|hedge|group-wait|max-group|keep-warm-interval)"
              + "|spillway\\.spill\\.targets\\..+");

  private ChangesText() {}

  /**
   * @throws IllegalArgumentException if it is no such file, or sets what needs a restart
   */
  static Map<String, String> parse(byte[] content) {
    if (content.length > LONGEST) {
      throw new IllegalArgumentException("it is over " + LONGEST + " bytes");
    }
    Properties read = new Properties();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      read.load(new StringReader(text));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("it is not UTF-8");
    } catch (IOException e) {
      throw new IllegalStateException(e); // memory does not fail to be read
    }
    Map<String, String> values = new TreeMap<>();
    for (String key : read.stringPropertyNames()) {
      if (!MAY_CHANGE.matcher(key).matches()) {
        throw new IllegalArgumentException(key + " is unknown, or cannot change without a restart");
      }
      values.put(key, read.getProperty(key));
    }
    return values;
  }
}
