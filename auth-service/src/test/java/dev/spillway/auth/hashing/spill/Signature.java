package dev.spillway.auth.hashing.spill;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signature Version 4 worked out from a request as it came over the wire, by AWS's description and
 * none of its code.
 */
final class Signature {
  private static final Pattern HEADER =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=[^/]+/(.+/aws4_request), "
              + "SignedHeaders=([^,]+), Signature=(.+)");

  private Signature() {}

  static String sent(LoggedRequest request) {
    return header(request).group(3);
  }

  static List<String> signedHeaders(LoggedRequest request) {
    return List.of(header(request).group(2).split(";"));
  }

  static String of(LoggedRequest request, String secret) {
    String headers =
        signedHeaders(request).stream()
            .map(name -> name + ":" + request.getHeader(name).strip() + "\n")
            .collect(Collectors.joining());
    String canonical =
        String.join(
            "\n",
            request.getMethod().getName(),
            encoded(request.getUrl()),
            "",
            headers,
            header(request).group(2),
            hex(sha256(request.getBody())));
    String scope = header(request).group(1);
    String toSign =
        String.join(
            "\n",
            "AWS4-HMAC-SHA256",
            request.getHeader("X-Amz-Date"),
            scope,
            hex(sha256(canonical.getBytes(StandardCharsets.UTF_8))));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/")) {
      key = hmac(key, part);
    }
    return hex(hmac(key, toSign));
  }

  /** Each part of the path as it was sent, encoded once more. */
  private static String encoded(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining("/"));
  }

  private static Matcher header(LoggedRequest request) {
    Matcher header = HEADER.matcher(request.getHeader("Authorization"));
    if (!header.matches()) {
      throw new AssertionError("not signed");
    }
    return header;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
