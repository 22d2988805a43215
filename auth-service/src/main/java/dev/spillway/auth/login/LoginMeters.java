package dev.spillway.auth.login;

import dev.spillway.auth.throttle.Admission;
import dev.spillway.core.bcrypt.ParsedHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * {@code spillway_login_total} by outcome, from the start on, and the stored hashes that cannot be
 * verified.
 */
@Startup
@ApplicationScoped
class LoginMeters {
  private static final Logger LOG = Logger.getLogger(Login.class);

  private static final Duration QUIET = Duration.ofMinutes(1);

  private final MeterRegistry registry;
  private final Counter granted;
  private final Counter denied;
  private final Map<Admission.Limit, Counter> throttled = new EnumMap<>(Admission.Limit.class);
  private final Counter shed;
  private final Counter gone;
  private final Counter failed;
  private final AtomicLong quietUntilNanos = new AtomicLong(System.nanoTime());

  LoginMeters(MeterRegistry registry) {
    this.registry = registry;
    this.granted = counter("granted");
    this.denied = counter("denied");
    for (Admission.Limit limit : Admission.Limit.values()) {
      throttled.put(limit, counter("throttled_by_" + limit.label()));
    }
    this.shed = counter("shed");
    this.gone = counter("gone");
    this.failed = counter("failed");
  }

  void ended(LoginOutcome<?> outcome) {
    Counter counter =
        switch (outcome) {
          case LoginOutcome.Granted yes -> granted;
          case LoginOutcome.Denied no -> denied;
          case LoginOutcome.Throttled(Admission.Limit by, Duration retryAfter) -> throttled.get(by);
          case LoginOutcome.Shed later -> shed;
          case LoginOutcome.Gone nobody -> gone;
        };
    counter.increment();
  }

  /** An attempt that ended in an exception: a database that does not answer, or a bug. */
  void failed() {
    failed.increment();
  }

  /**
   * Counts every attempt on such an account and logs at most one a minute: without the hash,
   * without the login, and without a way for an attacker to fill the log.
   */
  void unverifiable(long userId, ParsedHash.Reason reason) {
    Counter.builder("spillway.login.unverifiable")
        .description("Attempts on accounts whose stored hash cannot be verified")
        .tag("reason", reason.label())
        .register(registry)
        .increment();
    long now = System.nanoTime();
    long quietUntil = quietUntilNanos.get();
    if (now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + QUIET.toNanos())) {
      LOG.warnf(
          "The stored hash of user %d cannot be verified: %s; spillway_login_unverifiable_total"
              + " counts all such attempts",
          userId, reason.label());
    }
  }

  private Counter counter(String outcome) {
    return Counter.builder("spillway.login")
        .description("Attempts to log in")
        .tag("outcome", outcome)
        .register(registry);
  }
}
