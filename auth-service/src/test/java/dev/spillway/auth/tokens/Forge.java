package dev.spillway.auth.tokens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens that no library would make. */
final class Forge {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  private Forge() {}

  /** Claims as the service sets them, to be spoilt one at a time. */
  static Map<String, Object> claims() {
    long now = Instant.now().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", "http://localhost:8080");
    claims.put("aud", "spillway");
    claims.put("sub", "ann");
    claims.put("iat", now);
    claims.put("exp", now + 60);
    claims.put("jti", "1");
    return claims;
  }

  static Map<String, Object> with(Map<String, Object> map, String name, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(map);
    if (value == null) {
      changed.remove(name);
    } else {
      changed.put(name, value);
    }
    return changed;
  }

  static String unsigned(Map<String, Object> header, Map<String, Object> claims) {
    return encode(header) + "." + encode(claims);
  }

  static String withSignature(String unsigned, byte[] signature) {
    return unsigned + "." + URL.encodeToString(signature);
  }

  static String signed(
      Map<String, Object> header,
      Map<String, Object> claims,
      SigningAlgorithm algorithm,
      PrivateKey key) {
    String unsigned = unsigned(header, claims);
    try {
      Signature signature =
          Signature.getInstance(
              switch (algorithm) {
                case ES256 -> "SHA256withECDSAinP1363Format";
                case RS256 -> "SHA256withRSA";
                case EDDSA -> "Ed25519";
              });
      signature.initSign(key);
      signature.update(unsigned.getBytes(StandardCharsets.US_ASCII));
      return withSignature(unsigned, signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String hmac(Map<String, Object> header, Map<String, Object> claims, byte[] key) {
    String unsigned = unsigned(header, claims);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return withSignature(unsigned, mac.doFinal(unsigned.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String encode(Map<String, Object> part) {
    try {
      return URL.encodeToString(JSON.writeValueAsBytes(part));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
