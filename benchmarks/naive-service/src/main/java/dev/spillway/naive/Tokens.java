package dev.spillway.naive;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.build.Jwt;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** Signs tokens with a key made at the start. */
@Singleton
class Tokens {
  static final Duration LIFETIME = Duration.ofMinutes(15);

  private final EllipticCurveJsonWebKey key;

  Tokens() throws JoseException {
    key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
    key.setKeyId(key.calculateBase64urlEncodedThumbprint("SHA-256"));
    key.setAlgorithm("ES256");
    key.setUse("sig");
  }

  String issue(Users.User user) {
    return Jwt.issuer("http://localhost:8080")
        .subject(user.login())
        .audience("spillway")
        .groups(user.groups())
        .expiresIn(LIFETIME)
        .jws()
        .algorithm(SignatureAlgorithm.ES256)
        .keyId(key.getKeyId())
        .sign(key.getPrivateKey());
  }

  Map<String, Object> published() {
    return Map.of("keys", List.of(key.toParams(OutputControlLevel.PUBLIC_ONLY)));
  }
}
