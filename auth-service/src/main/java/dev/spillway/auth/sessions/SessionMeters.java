package dev.spillway.auth.sessions;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;

/** {@code spillway_sessions_*}: how sessions begin, go on and end. */
@ApplicationScoped
class SessionMeters {
  private static final String[] OUTCOMES = {
    "refreshed", "repeated", "unknown", "expired", "reused", "revoked"
  };

  private final MeterRegistry registry;
  private final Counter begun;
  private final Counter ended;
  private final Counter deleted;

  SessionMeters(MeterRegistry registry) {
    this.registry = registry;
    this.begun = counter("begun", "Sessions begun by a login");
    this.ended = counter("logout", "Sessions ended by a logout");
    this.deleted = counter("deleted", "Sessions deleted after they had run out");
    for (String outcome : OUTCOMES) {
      refreshes(outcome);
    }
  }

  void begun() {
    begun.increment();
  }

  void ended() {
    ended.increment();
  }

  void deleted(int count) {
    deleted.increment(count);
  }

  void refreshed(String outcome) {
    refreshes(outcome).increment();
  }

  private Counter counter(String name, String description) {
    return Counter.builder("spillway.sessions." + name).description(description).register(registry);
  }

  private Counter refreshes(String outcome) {
    return Counter.builder("spillway.sessions.refresh")
        .description("Refresh tokens shown")
        .tag("outcome", outcome)
        .register(registry);
  }
}
