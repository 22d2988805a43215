package dev.spillway.lambda;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The envelope a Function URL puts around a request, payload format 2.0, and the one it wants
 * around the reply. The Invoke API has none: there the event is the request.
 */
final class UrlEvent {
  /** Longest event: a request, and beside it whatever headers the caller and AWS have sent. */
  static final int MAX_BYTES = 64 * 1024;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxStringLength(MAX_BYTES)
                  .build())
          .build();

  private UrlEvent() {}

  /** The request's bytes, if {@code event} is such an envelope; empty if it is anything else. */
  static Optional<byte[]> bodyOf(byte[] event) {
    try (JsonParser json = JSON.createParser(event)) {
      return json.nextToken() == JsonToken.START_OBJECT ? body(json) : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static byte[] envelope(byte[] reply) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(reply.length + 128);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("statusCode", 200);
      json.writeObjectFieldStart("headers");
      json.writeStringField("content-type", "application/json");
      json.writeEndObject();
      json.writeStringField("body", new String(reply, StandardCharsets.UTF_8));
      json.writeBooleanField("isBase64Encoded", false);
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static Optional<byte[]> body(JsonParser json) throws IOException {
    boolean ours = false;
    boolean base64 = false;
    byte[] body = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "v", "jobs" -> {
          return Optional.empty(); // a bare request: not one more byte of it is read here
        }
        case "version" -> ours = value == JsonToken.VALUE_STRING && json.getText().equals("2.0");
        case "isBase64Encoded" -> base64 = value == JsonToken.VALUE_TRUE;
        case "body" -> body = value == JsonToken.VALUE_STRING ? bytes(json) : null;
        default -> json.skipChildren();
      }
    }
    if (!ours || body == null) {
      return Optional.empty();
    }
    return Optional.of(base64 ? Base64.getDecoder().decode(body) : body);
  }

  /** Of the parser's own copy nothing stays: it holds passwords. */
  private static byte[] bytes(JsonParser json) throws IOException {
    char[] text = json.getTextCharacters();
    int from = json.getTextOffset();
    int length = json.getTextLength();
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      char c = text[from + i];
      if (c > 0x7f) {
        throw new IOException("a request is ASCII");
      }
      bytes[i] = (byte) c;
    }
    Arrays.fill(text, from, from + length, '\0');
    return bytes;
  }
}
