package dev.spillway.auth.tokens;

import io.smallrye.jwt.build.Jwt;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Set;

/** Signs tokens for users whose password was right. */
@ApplicationScoped
public class TokenIssuer {
  /** Name of the claim that says in which epoch of its user a token was issued. */
  public static final String EPOCH = "epoch";

  private final TokenConfig config;
  private final SigningKeys keys;

  TokenIssuer(TokenConfig config, SigningKeys keys) {
    this.config = config;
    this.keys = keys;
  }

  /** How long every token is good for. */
  public Duration lifetime() {
    return config.lifetime();
  }

  /**
   * Signs a token; {@code iat} and {@code jti} are set by the builder.
   *
   * @param subject the login, in its normal form
   * @param epoch of the user; an admin's token is good here until it ends
   * @throws dev.spillway.auth.http.Unavailable if the signing keys may have changed and the
   *     database cannot be asked
   */
  public IssuedToken issue(String subject, Set<String> groups, long epoch) {
    SigningKey key = keys.signing();
    String jwt =
        Jwt.issuer(config.issuer())
            .subject(subject)
            .audience(config.audience())
            .groups(groups)
            .claim(EPOCH, epoch)
            .expiresIn(config.lifetime())
            .jws()
            .algorithm(key.algorithm().forBuilder())
            .keyId(key.kid())
            .sign(key.privateKey());
    return new IssuedToken(jwt, config.lifetime());
  }
}
