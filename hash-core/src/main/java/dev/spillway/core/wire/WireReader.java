package dev.spillway.core.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The outer shape both messages share: one object with the version and one array of objects, in any
 * order of fields, and nothing after it. Fields it does not know are an error in either message:
 * whoever adds one raises the version.
 */
final class WireReader {
  private WireReader() {}

  /** Reads the fields of one element; the parser stands on its START_OBJECT. */
  interface Element {
    void read(JsonParser json) throws IOException, WireException;
  }

  static void read(byte[] bytes, String arrayName, Element element) throws WireException {
    if (bytes.length > WireFormat.MAX_BYTES) {
      throw new WireException("over " + WireFormat.MAX_BYTES + " bytes");
    }
    try (JsonParser json = WireFormat.JSON.createParser(bytes)) {
      expect(json.nextToken() == JsonToken.START_OBJECT, "not a JSON object");
      boolean versionSeen = false;
      boolean arraySeen = false;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals("v")) {
          expect(
              value == JsonToken.VALUE_NUMBER_INT && json.getLongValue() == WireFormat.VERSION,
              "not version " + WireFormat.VERSION);
          versionSeen = true;
        } else if (name.equals(arrayName)) {
          expect(value == JsonToken.START_ARRAY, arrayName + " is not an array");
          arraySeen = true;
          while (json.nextToken() == JsonToken.START_OBJECT) {
            element.read(json);
          }
          expect(json.currentToken() == JsonToken.END_ARRAY, "not an object in " + arrayName);
        } else {
          throw new WireException("unknown field");
        }
      }
      expect(json.currentToken() == JsonToken.END_OBJECT, "object not closed");
      expect(json.nextToken() == null, "more than one value");
      expect(versionSeen && arraySeen, "v or " + arrayName + " missing");
    } catch (IOException e) {
      // Jackson's own message may quote the input, and the input holds passwords.
      throw new WireException("not JSON");
    }
  }

  static String text(JsonParser json) throws IOException, WireException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, "not a string");
    return json.getText();
  }

  static void expect(boolean holds, String otherwise) throws WireException {
    if (!holds) {
      throw new WireException(otherwise);
    }
  }
}
