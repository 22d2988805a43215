package dev.spillway.locallambda;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** JSON that is checked and JSON that is written; nothing is bound to objects. */
final class JsonText {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();

  private JsonText() {}

  /** What {@link #write} fills in. */
  @FunctionalInterface
  interface Body {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /**
   * Where {@code bytes} stop being one JSON value, or empty. Only the place: a parser's own words
   * quote the text, and the text may be a password.
   */
  static Optional<String> fault(byte[] bytes) {
    try (JsonParser parser = JSON.createParser(bytes)) {
      if (parser.nextToken() == null) {
        return Optional.of("no content");
      }
      parser.skipChildren();
      return parser.nextToken() == null ? Optional.empty() : Optional.of("more than one value");
    } catch (JsonProcessingException e) {
      return Optional.of(
          e.getLocation() == null
              ? "malformed"
              : "malformed at line %d, column %d"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    } catch (IOException e) {
      return Optional.of("malformed encoding");
    }
  }

  static byte[] write(Body body) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      body.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
