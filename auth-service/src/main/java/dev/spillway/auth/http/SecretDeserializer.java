package dev.spillway.auth.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/** Reads a JSON string, and nothing else, into a {@link Secret} without making it a String. */
final class SecretDeserializer extends StdDeserializer<Secret> {
  SecretDeserializer() {
    super(Secret.class);
  }

  @Override
  public Secret deserialize(JsonParser json, DeserializationContext context) throws IOException {
    if (!json.hasToken(JsonToken.VALUE_STRING)) {
      return context.reportInputMismatch(this, "not a string");
    }
    try {
      return Secret.of(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
    } catch (IllegalArgumentException e) {
      return context.reportInputMismatch(this, "not Unicode text");
    }
  }
}
