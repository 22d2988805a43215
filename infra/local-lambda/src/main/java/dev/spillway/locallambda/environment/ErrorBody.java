package dev.spillway.locallambda.environment;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The JSON of a function error: {@code {"errorType": ..., "errorMessage": ...}}. */
final class ErrorBody {
  private static final JsonFactory JSON = new JsonFactory();

  private ErrorBody() {}

  static byte[] of(String errorType, String errorMessage) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("errorType", errorType);
      json.writeStringField("errorMessage", errorMessage);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
