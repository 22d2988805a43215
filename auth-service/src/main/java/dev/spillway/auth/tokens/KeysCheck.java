package dev.spillway.auth.tokens;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** An instance that must not sign (K1 of {@link SigningKeys}) is not ready for logins. */
@Readiness
@ApplicationScoped
class KeysCheck implements HealthCheck {
  private final SigningKeys keys;

  KeysCheck(SigningKeys keys) {
    this.keys = keys;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("signing-keys").status(!keys.isStale(keys.ring())).build();
  }
}
