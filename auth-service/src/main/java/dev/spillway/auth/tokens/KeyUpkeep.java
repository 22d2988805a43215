package dev.spillway.auth.tokens;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Reads the keys again and again, from the start of this instance to its end. */
@ApplicationScoped
class KeyUpkeep {
  private final KeyRotation rotation;
  private final RotationTimes times;
  private final TokenConfig config;
  private final ScheduledExecutorService clockwork =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("keys").factory());

  KeyUpkeep(KeyRotation rotation, RotationTimes times, TokenConfig config) {
    this.rotation = rotation;
    this.times = times;
    this.config = config;
  }

  void start(@Observes StartupEvent event) {
    rotation.beginIfAlgorithmChanged(config.algorithm());
    if (config.keyFiles().isEmpty()) {
      long interval = times.refresh().toNanos();
      clockwork.scheduleWithFixedDelay(rotation::tend, interval, interval, TimeUnit.NANOSECONDS);
    }
  }

  void stop(@Observes ShutdownEvent event) {
    clockwork.shutdownNow();
  }
}
