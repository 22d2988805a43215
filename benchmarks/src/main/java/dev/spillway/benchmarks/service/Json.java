package dev.spillway.benchmarks.service;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes maps, collections, strings, numbers and booleans as one line of JSON. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final double DIGITS = 1e4;

  private Json() {}

  static String write(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail to be written to
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName(entry.getKey().toString());
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case Iterable<?> list -> {
        json.writeStartArray();
        for (Object element : list) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case Double number when !Double.isFinite(number) -> json.writeNull();
      case Double number -> json.writeNumber(Math.round(number * DIGITS) / DIGITS);
      case Number number -> json.writeNumber(number.longValue());
      case Boolean bool -> json.writeBoolean(bool);
      default -> json.writeString(value.toString());
    }
  }
}
