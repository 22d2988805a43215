package dev.spillway.locallambda.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a function's answer means as an HTTP response, payload format 2.0: an object with a {@code
 * statusCode} says so itself; any other JSON is the body of a 200.
 *
 * @param cookies each a value of Set-Cookie
 */
public record UrlReply(int status, Map<String, String> headers, List<String> cookies, byte[] body) {
  private static final JsonFactory JSON = new JsonFactory();

  /** Empty where the answer is malformed, which is a 502. */
  public static Optional<UrlReply> of(byte[] answer) {
    try (JsonParser json = JSON.createParser(answer)) {
      var read = new Reading();
      if (json.nextToken() == JsonToken.START_OBJECT) {
        read.object(json);
      } else if (json.currentToken() == null) {
        return Optional.empty();
      } else {
        json.skipChildren();
      }
      if (json.nextToken() != null) {
        return Optional.empty();
      }
      return Optional.of(read.reply(answer));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The fields of one answer. Those of another type than theirs are malformed. */
  private static final class Reading {
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<String> cookies = new ArrayList<>();
    private int status;
    private String body = "";
    private boolean base64;

    void object(JsonParser json) throws IOException {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        switch (name) {
          case "statusCode" -> {
            require(value == JsonToken.VALUE_NUMBER_INT);
            status = json.getIntValue();
            require(status >= 100 && status <= 599);
          }
          case "headers" -> {
            if (value == JsonToken.START_OBJECT) {
              while (json.nextToken() == JsonToken.FIELD_NAME) {
                String header = json.currentName();
                require(json.nextToken().isScalarValue());
                headers.put(header, json.getText());
              }
            }
          }
          case "cookies" -> {
            if (value == JsonToken.START_ARRAY) {
              while (json.nextToken() != JsonToken.END_ARRAY) {
                require(json.currentToken() == JsonToken.VALUE_STRING);
                cookies.add(json.getText());
              }
            }
          }
          case "body" -> {
            json.skipChildren();
            body = value == JsonToken.VALUE_STRING ? json.getText() : "";
          }
          case "isBase64Encoded" -> base64 = value == JsonToken.VALUE_TRUE;
          default -> json.skipChildren();
        }
      }
    }

    UrlReply reply(byte[] answer) {
      if (status == 0) {
        return new UrlReply(200, Map.of("content-type", "application/json"), List.of(), answer);
      }
      headers.putIfAbsent("content-type", "application/json");
      return new UrlReply(
          status,
          headers,
          cookies,
          base64 ? Base64.getDecoder().decode(body) : body.getBytes(UTF_8));
    }

    private static void require(boolean wellFormed) {
      if (!wellFormed) {
        throw new IllegalArgumentException("malformed");
      }
    }
  }
}
