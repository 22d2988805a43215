package dev.spillway.auth.tokens;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.security.Key;
import java.util.Optional;
import java.util.Set;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Verifier of the tokens that this service has issued.
 *
 * <p>The sender of a token writes its header. It may name our key and our algorithm. A token with
 * any other member, above all one that brings a key ({@code jwk}, {@code jku}, {@code x5c}), is
 * rejected before its signature is checked.
 */
@ApplicationScoped
@Alternative
@Priority(1)
class OwnTokens extends JWTCallerPrincipalFactory {
  private static final Set<String> HEADER = Set.of("alg", "kid", "typ");

  /** Clocks of instances differ; a token may come from one that is this much ahead. */
  private static final int MAX_SECONDS_AHEAD = 5;

  private final JwtConsumer consumer;

  OwnTokens(TokenConfig config, SigningKeys keys) {
    this.consumer =
        new JwtConsumerBuilder()
            .setJwsAlgorithmConstraints(
                new AlgorithmConstraints(ConstraintType.PERMIT, SigningAlgorithm.joseNames()))
            .setJweAlgorithmConstraints(new AlgorithmConstraints(ConstraintType.PERMIT))
            .setVerificationKeyResolver((token, nesting) -> publicKey(token, keys.ring()))
            .setExpectedIssuer(config.issuer())
            .setExpectedAudience(config.audience())
            .setRequireSubject()
            .setRequireExpirationTime()
            .setRequireIssuedAt()
            .setIssuedAtRestrictions(MAX_SECONDS_AHEAD, Integer.MAX_VALUE)
            .build();
  }

  @Override
  public JWTCallerPrincipal parse(String token, JWTAuthContextInfo ignored) throws ParseException {
    try {
      return new DefaultJWTCallerPrincipal(token, "Bearer", consumer.processToClaims(token));
    } catch (InvalidJwtException e) {
      // Its message repeats the token, which must not be logged.
      throw new ParseException("not a token of ours");
    }
  }

  private static Key publicKey(JsonWebSignature token, KeyRing ring)
      throws UnresolvableKeyException {
    try {
      String header = token.getHeaders().getFullHeaderAsJsonString();
      if (!HEADER.containsAll(JsonUtil.parseJson(header).keySet())) {
        throw new UnresolvableKeyException("a header with more than " + HEADER);
      }
    } catch (JoseException e) {
      throw new UnresolvableKeyException("a header that is no JSON", e);
    }
    SigningKey key =
        Optional.ofNullable(token.getKeyIdHeaderValue())
            .flatMap(ring::find)
            .orElseThrow(() -> new UnresolvableKeyException("signed with another key"));
    // A ring may hold keys of two algorithms, and each key is valid for its own only.
    if (!key.algorithm().joseName().equals(token.getAlgorithmHeaderValue())) {
      throw new UnresolvableKeyException("signed by another algorithm");
    }
    return key.publicKey();
  }
}
