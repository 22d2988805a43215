package dev.spillway.auth.dashboard;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.quarkus.smallrye.jwt.runtime.auth.JsonWebTokenCredential;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * Who looks on by an admin's token: until it expires, and no longer than a few seconds after it has
 * ceased to be an admin's. The judge of a request's token is asked again.
 */
final class Viewer implements BooleanSupplier {
  private static final int SAMPLES_BETWEEN_CHECKS = 2;

  private final IdentityProviderManager identities;
  private final String token;
  private final String group;
  private final Instant expiry;
  private volatile boolean over;

  /** Touched by the threads that take samples, one after the other. */
  private int samples;

  Viewer(IdentityProviderManager identities, JsonWebToken token, String group) {
    this.identities = identities;
    this.token = token.getRawToken();
    this.group = group;
    this.expiry = Instant.ofEpochSecond(token.getExpirationTime());
  }

  @Override
  public boolean getAsBoolean() {
    if (samples++ % SAMPLES_BETWEEN_CHECKS == 1) {
      check();
    }
    return !over && Instant.now().isBefore(expiry);
  }

  /** Elsewhere: it asks the database, and other viewers want their sample. */
  private void check() {
    identities
        .authenticate(new TokenAuthenticationRequest(new JsonWebTokenCredential(token)))
        .runSubscriptionOn(Infrastructure.getDefaultExecutor())
        .subscribe()
        .with(
            identity -> over |= !identity.hasRole(group),
            // A database that does not answer says nothing about the token.
            failure -> over |= failure instanceof AuthenticationFailedException);
  }
}
