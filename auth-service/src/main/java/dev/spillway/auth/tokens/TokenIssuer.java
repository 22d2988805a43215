package dev.spillway.auth.tokens;

import io.smallrye.jwt.build.Jwt;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;

/** Signs tokens for users whose password was right. */
@ApplicationScoped
public class TokenIssuer {
  private final TokenConfig config;
  private final SigningKey key;

  TokenIssuer(TokenConfig config, SigningKey key) {
    this.config = config;
    this.key = key;
  }

  /**
   * Signs a token; {@code iat} and {@code jti} are set by the builder.
   *
   * @param subject the login, in its normal form
   */
  public IssuedToken issue(String subject, Set<String> groups) {
    String jwt =
        Jwt.issuer(config.issuer())
            .subject(subject)
            .audience(config.audience())
            .groups(groups)
            .expiresIn(config.lifetime())
            .jws()
            .algorithm(key.algorithm().forBuilder())
            .keyId(key.kid())
            .sign(key.privateKey());
    return new IssuedToken(jwt, config.lifetime());
  }
}
