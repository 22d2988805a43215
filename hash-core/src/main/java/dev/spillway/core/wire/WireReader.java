package dev.spillway.core.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The outer shape both messages share: one object with the version and one array of objects, in any
 * order of fields, and nothing after it. Fields that neither it nor the reader knows are an error
 * in either message: a new one needs a new version.
 */
final class WireReader {
  private WireReader() {}

  /** Reads the fields of one element; the parser stands on its START_OBJECT. */
  interface Element {
    void read(JsonParser json) throws IOException, WireException;
  }

  /** Reads the value of a field beside the version and the array; false if it is unknown. */
  interface Beside {
    boolean read(String name, JsonParser json) throws IOException, WireException;
  }

  /** The version, of which it is known only that it is a number. */
  static long read(byte[] bytes, String arrayName, Element element, Beside beside)
      throws WireException {
    if (bytes.length > WireFormat.MAX_BYTES) {
      throw new WireException("over " + WireFormat.MAX_BYTES + " bytes");
    }
    try (JsonParser json = WireFormat.JSON.createParser(bytes)) {
      expect(json.nextToken() == JsonToken.START_OBJECT, "not a JSON object");
      boolean versionSeen = false;
      long version = 0;
      boolean arraySeen = false;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals("v")) {
          version = number(json);
          versionSeen = true;
        } else if (name.equals(arrayName)) {
          expect(value == JsonToken.START_ARRAY, arrayName + " is not an array");
          arraySeen = true;
          while (json.nextToken() == JsonToken.START_OBJECT) {
            element.read(json);
          }
          expect(json.currentToken() == JsonToken.END_ARRAY, "not an object in " + arrayName);
        } else {
          expect(beside.read(name, json), "unknown field");
        }
      }
      expect(json.currentToken() == JsonToken.END_OBJECT, "object not closed");
      expect(json.nextToken() == null, "more than one value");
      expect(versionSeen && arraySeen, "v or " + arrayName + " missing");
      return version;
    } catch (IOException e) {
      // Jackson's message may quote the input, which contains passwords.
      throw new WireException("not JSON");
    }
  }

  static String text(JsonParser json) throws IOException, WireException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, "not a string");
    return json.getText();
  }

  static long number(JsonParser json) throws IOException, WireException {
    expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "not a whole number");
    return json.getLongValue();
  }

  static void expect(boolean holds, String otherwise) throws WireException {
    if (!holds) {
      throw new WireException(otherwise);
    }
  }
}
