package dev.spillway.locallambda.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A request to a Function URL as the function gets it: payload format 2.0 ("Creating and managing
 * Lambda function URLs", Lambda Developer Guide).
 *
 * @param urlId what the URL's host begins with on AWS
 * @param accessKey of a signed request to a URL of AuthType AWS_IAM
 */
public record UrlEvent(
    String urlId, String region, String account, String requestId, Optional<String> accessKey) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Beside text/*, the types whose bodies travel as they are; all others in base64. */
  private static final Set<String> TEXT =
      Set.of("application/json", "application/javascript", "application/xml");

  /** The event's bytes. */
  public byte[] of(HttpExchange exchange, byte[] body) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      URI uri = exchange.getRequestURI();
      String query = Optional.ofNullable(uri.getRawQuery()).orElse("");
      json.writeStartObject();
      json.writeStringField("version", "2.0");
      json.writeStringField("routeKey", "$default");
      json.writeStringField("rawPath", uri.getPath());
      json.writeStringField("rawQueryString", query);
      writeCookies(exchange, json);
      writeMap("headers", headers(exchange), json);
      if (!query.isEmpty()) {
        writeMap("queryStringParameters", parameters(query), json);
      }
      writeContext(exchange, json);
      if (body.length > 0) {
        boolean text = isText(exchange.getRequestHeaders().getFirst("Content-Type"));
        json.writeStringField(
            "body", text ? new String(body, UTF_8) : Base64.getEncoder().encodeToString(body));
        json.writeBooleanField("isBase64Encoded", !text);
      } else {
        json.writeBooleanField("isBase64Encoded", false);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail to be written to
    }
    return out.toByteArray();
  }

  private void writeContext(HttpExchange exchange, JsonGenerator json) throws IOException {
    Instant now = Instant.now();
    json.writeObjectFieldStart("requestContext");
    json.writeStringField("accountId", accessKey.isPresent() ? account : "anonymous");
    json.writeStringField("apiId", urlId);
    json.writeNullField("authentication");
    if (accessKey.isPresent()) {
      json.writeObjectFieldStart("authorizer");
      json.writeObjectFieldStart("iam");
      json.writeStringField("accessKey", accessKey.get());
      json.writeStringField("accountId", account);
      json.writeStringField("callerId", accessKey.get());
      json.writeNullField("cognitoIdentity");
      json.writeNullField("principalOrgId");
      json.writeStringField("userArn", "arn:aws:iam::" + account + ":user/local");
      json.writeStringField("userId", accessKey.get());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeStringField("domainName", urlId + ".lambda-url." + region + ".on.aws");
    json.writeStringField("domainPrefix", urlId);
    json.writeObjectFieldStart("http");
    json.writeStringField("method", exchange.getRequestMethod());
    json.writeStringField("path", exchange.getRequestURI().getPath());
    json.writeStringField("protocol", exchange.getProtocol());
    json.writeStringField("sourceIp", exchange.getRemoteAddress().getAddress().getHostAddress());
    json.writeStringField("userAgent", exchange.getRequestHeaders().getFirst("User-Agent"));
    json.writeEndObject();
    json.writeStringField("requestId", requestId);
    json.writeStringField("routeKey", "$default");
    json.writeStringField("stage", "$default");
    json.writeStringField("time", TIME.format(now));
    json.writeNumberField("timeEpoch", now.toEpochMilli());
    json.writeEndObject();
  }

  private static void writeCookies(HttpExchange exchange, JsonGenerator json) throws IOException {
    List<String> cookies = exchange.getRequestHeaders().get("Cookie");
    if (cookies != null) {
      json.writeArrayFieldStart("cookies");
      for (String header : cookies) {
        for (String cookie : header.split(";\\s*")) {
          json.writeString(cookie);
        }
      }
      json.writeEndArray();
    }
  }

  private static void writeMap(String name, Map<String, String> map, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (var entry : map.entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }

  /** Lower-case names, several values joined by commas; cookies are apart. */
  private static Map<String, String> headers(HttpExchange exchange) {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), joined(values)));
    headers.remove("cookie");
    headers.put("x-forwarded-for", exchange.getRemoteAddress().getAddress().getHostAddress());
    headers.put("x-forwarded-port", Integer.toString(exchange.getLocalAddress().getPort()));
    headers.put("x-forwarded-proto", "http");
    return headers;
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      String[] parts = pair.split("=", 2);
      parameters.merge(
          URLDecoder.decode(parts[0], UTF_8),
          parts.length == 2 ? URLDecoder.decode(parts[1], UTF_8) : "",
          (first, next) -> joined(Arrays.asList(first, next)));
    }
    return parameters;
  }

  private static String joined(List<String> values) {
    return String.join(",", values);
  }

  private static boolean isText(String contentType) {
    if (contentType == null) {
      return false;
    }
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.startsWith("text/") || TEXT.contains(type);
  }
}
