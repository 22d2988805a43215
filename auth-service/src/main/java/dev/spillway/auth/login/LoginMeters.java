package dev.spillway.auth.login;

import dev.spillway.core.bcrypt.ParsedHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * {@code spillway_login_total} by outcome, from the start on, and the stored hashes that cannot be
 * verified.
 */
@Startup
@ApplicationScoped
class LoginMeters {
  private static final Logger LOG = Logger.getLogger(Login.class);

  private final MeterRegistry registry;

  LoginMeters(MeterRegistry registry) {
    this.registry = registry;
    for (String outcome : new String[] {"granted", "denied", "shed", "gone"}) {
      counter(outcome);
    }
  }

  void ended(LoginOutcome outcome) {
    counter(outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT)).increment();
  }

  /** One line for each attempt on such an account: without the hash, and without the login. */
  void unverifiable(long userId, ParsedHash.Reason reason) {
    Counter.builder("spillway.login.unverifiable")
        .description("Attempts on accounts whose stored hash cannot be verified")
        .tag("reason", reason.label())
        .register(registry)
        .increment();
    LOG.warnf("The stored hash of user %d cannot be verified: %s", userId, reason.label());
  }

  private Counter counter(String outcome) {
    return Counter.builder("spillway.login")
        .description("Attempts to log in")
        .tag("outcome", outcome)
        .register(registry);
  }
}
