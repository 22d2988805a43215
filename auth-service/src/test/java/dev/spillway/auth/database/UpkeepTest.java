package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.CapturedLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class UpkeepTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void failures_areCountedEach_andSaidOnceAMinute() {
    Upkeep upkeep = new Upkeep("tallies", meters);
    assertThat(failures()).as("there from the start, for an alarm").isZero();
    try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
      for (int i = 0; i < 3; i++) {
        upkeep.run(
            () -> {
              throw new DatabaseUnavailable(new IllegalStateException("on purpose"));
            });
      }
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("Upkeep of the tallies failed", "on purpose");
    }
    assertThat(failures()).isEqualTo(3);
  }

  private double failures() {
    return meters.get("spillway.upkeep.failures").tag("task", "tallies").counter().count();
  }
}
