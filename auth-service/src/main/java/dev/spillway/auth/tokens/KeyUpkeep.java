package dev.spillway.auth.tokens;

import dev.spillway.auth.schedule.Recurring;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** Reads the keys again and again, from the start of this instance to its end. */
@ApplicationScoped
class KeyUpkeep {
  private final KeyRotation rotation;
  private final RotationTimes times;
  private final TokenConfig config;
  private Optional<Recurring> reading = Optional.empty();

  KeyUpkeep(KeyRotation rotation, RotationTimes times, TokenConfig config) {
    this.rotation = rotation;
    this.times = times;
    this.config = config;
  }

  void start(@Observes StartupEvent event) {
    rotation.beginIfAlgorithmChanged(config.algorithm());
    if (config.keyFiles().isEmpty()) {
      reading = Optional.of(Recurring.every("keys", times.refresh(), rotation::refresh));
    }
  }

  void stop(@Observes ShutdownEvent event) {
    reading.ifPresent(Recurring::close);
  }
}
