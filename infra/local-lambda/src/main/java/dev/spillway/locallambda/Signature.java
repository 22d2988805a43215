package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of a request as its Authorization header states it, by AWS Signature Version 4
 * ("AWS Signature Version 4 for API requests", IAM User Guide).
 *
 * @param scope {@code date/region/service/aws4_request}
 * @param signedHeaders lower-case names, in the order in which they were signed
 */
record Signature(String accessKey, String scope, List<String> signedHeaders, String hex) {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final Pattern FORM =
      Pattern.compile(
          ALGORITHM
              + " Credential=([^/,\\s]+)/(\\d{8}/[^/,\\s]+/[^/,\\s]+/aws4_request),\\s*"
              + "SignedHeaders=([a-z0-9;-]+),\\s*Signature=([0-9a-f]{64})");

  /** Empty where {@code authorization} is no such header. */
  static Optional<Signature> of(String authorization) {
    Matcher form = FORM.matcher(authorization.strip());
    return form.matches()
        ? Optional.of(
            new Signature(
                form.group(1), form.group(2), List.of(form.group(3).split(";")), form.group(4)))
        : Optional.empty();
  }

  /** Of {@link #scope}. */
  String date() {
    return scope.split("/")[0];
  }

  String region() {
    return scope.split("/")[1];
  }

  String service() {
    return scope.split("/")[2];
  }

  /** Whether it is what {@code secret} makes of this request. */
  boolean fits(String secret, String method, URI uri, Headers headers, byte[] body) {
    String canonical =
        String.join(
            "\n",
            method,
            canonicalPath(uri.getRawPath()),
            canonicalQuery(uri.getRawQuery()),
            signedHeaders.stream()
                .map(name -> name + ":" + canonicalValue(headers, name) + "\n")
                .collect(joining()),
            String.join(";", signedHeaders),
            bodyHash(headers, body));
    String toSign =
        String.join(
            "\n",
            ALGORITHM,
            String.valueOf(headers.getFirst("X-Amz-Date")),
            scope,
            sha256(canonical));
    byte[] key = ("AWS4" + secret).getBytes(UTF_8);
    for (String part : scope.split("/")) {
      key = hmac(key, part);
    }
    return MessageDigest.isEqual(hmac(key, toSign), HexFormat.of().parseHex(hex));
  }

  /** As the caller declared it, where it did; that it is true is checked apart. */
  private static String bodyHash(Headers headers, byte[] body) {
    String declared = headers.getFirst("X-Amz-Content-Sha256");
    return declared == null ? sha256(body) : declared;
  }

  /** Whether the body is the one that was signed. */
  static boolean bodyIsTheSigned(Headers headers, byte[] body) {
    String declared = headers.getFirst("X-Amz-Content-Sha256");
    return declared == null || declared.equals(sha256(body));
  }

  /** Encoded once more than on the wire, as for every service but S3. */
  private static String canonicalPath(String rawPath) {
    return rawPath.isEmpty() ? "/" : encoded(rawPath, "/");
  }

  private static String canonicalQuery(String rawQuery) {
    if (rawQuery == null || rawQuery.isEmpty()) {
      return "";
    }
    List<String[]> pairs = new ArrayList<>();
    for (String pair : rawQuery.split("&")) {
      int equals = pair.indexOf('=');
      pairs.add(
          equals < 0
              ? new String[] {pair, ""}
              : new String[] {pair.substring(0, equals), pair.substring(equals + 1)});
    }
    return pairs.stream()
        .sorted(Comparator.<String[], String>comparing(it -> it[0]).thenComparing(it -> it[1]))
        .map(it -> it[0] + "=" + it[1])
        .collect(joining("&"));
  }

  private static String canonicalValue(Headers headers, String name) {
    List<String> values = headers.get(name);
    return values == null
        ? ""
        : values.stream().map(value -> value.strip().replaceAll(" +", " ")).collect(joining(","));
  }

  private static String encoded(String text, String alsoKept) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(UTF_8)) {
      char c = (char) (b & 0xff);
      boolean kept =
          c < 0x80 && (Character.isLetterOrDigit(c) || ("-_.~" + alsoKept).indexOf(c) >= 0);
      encoded.append(kept ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
    }
    return encoded.toString();
  }

  private static String sha256(String text) {
    return sha256(text.getBytes(UTF_8));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
