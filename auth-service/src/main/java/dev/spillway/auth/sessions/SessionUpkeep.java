package dev.spillway.auth.sessions;

import dev.spillway.auth.database.Upkeep;
import dev.spillway.auth.schedule.Recurring;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;

/** Deletes sessions that have run out. */
@ApplicationScoped
class SessionUpkeep {
  /** A transaction of so many rows is over in milliseconds and keeps no refresh waiting. */
  static final int BATCH = 500;

  /** With the interval, ten times what the fastest machine can begin. */
  private static final int MAX_BATCHES = 100;

  private static final Duration INTERVAL = Duration.ofMinutes(5);

  private final SessionConfig config;
  private final Sessions sessions;
  private final SessionMeters meters;
  private final Upkeep upkeep;
  private Optional<Recurring> deleting = Optional.empty();

  SessionUpkeep(
      SessionConfig config, Sessions sessions, SessionMeters meters, MeterRegistry registry) {
    this.config = config;
    this.sessions = sessions;
    this.meters = meters;
    this.upkeep = new Upkeep("sessions", registry);
  }

  void start(@Observes StartupEvent event) {
    if (config.enabled()) {
      deleting = Optional.of(Recurring.every("sessions", INTERVAL, this::deleteExpired));
    }
  }

  void stop(@Observes ShutdownEvent event) {
    deleting.ifPresent(Recurring::close);
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
