package dev.spillway.auth.sessions;

import dev.spillway.auth.database.Upkeep;
import dev.spillway.auth.tokens.TokenIssuer;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Refuses times that cannot work, and deletes sessions that have run out. */
@ApplicationScoped
class SessionUpkeep {
  /** A transaction of so many rows is over in milliseconds and keeps no refresh waiting. */
  static final int BATCH = 500;

  /** With the interval, ten times what the fastest machine can begin. */
  private static final int MAX_BATCHES = 100;

  private static final long INTERVAL_MINUTES = 5;

  private final SessionConfig config;
  private final Sessions sessions;
  private final TokenIssuer tokens;
  private final SessionMeters meters;
  private final Upkeep upkeep;
  private final ScheduledExecutorService clockwork =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("sessions").factory());

  SessionUpkeep(
      SessionConfig config,
      Sessions sessions,
      TokenIssuer tokens,
      SessionMeters meters,
      MeterRegistry registry) {
    this.config = config;
    this.sessions = sessions;
    this.tokens = tokens;
    this.meters = meters;
    this.upkeep = new Upkeep("sessions", registry);
  }

  void start(@Observes StartupEvent event) {
    if (config.enabled()) {
      check();
      clockwork.scheduleWithFixedDelay(
          this::deleteExpired, INTERVAL_MINUTES, INTERVAL_MINUTES, TimeUnit.MINUTES);
    }
  }

  void stop(@Observes ShutdownEvent event) {
    clockwork.shutdownNow();
  }

  private void check() {
    if (config.idle().compareTo(tokens.lifetime()) <= 0) {
      throw new ConfigurationException(
          "spillway.sessions.idle must be longer than spillway.tokens.lifetime: a client comes back"
              + " when its token has ended");
    }
    if (config.longest().compareTo(config.idle()) < 0) {
      throw new ConfigurationException(
          "spillway.sessions.longest must not be shorter than spillway.sessions.idle");
    }
  }

  /** In batches until a batch is not full. Never throws. */
  void deleteExpired() {
    upkeep.run(this::deleteBatches);
  }

  private void deleteBatches() {
    for (int batch = 0; batch < MAX_BATCHES; batch++) {
      int deleted = sessions.table().deleteExpired(BATCH);
      meters.deleted(deleted);
      if (deleted < BATCH) {
        return;
      }
    }
  }
}
