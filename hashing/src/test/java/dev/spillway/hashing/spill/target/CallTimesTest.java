package dev.spillway.hashing.spill.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallTimesTest {
  private final CallTimes times = new CallTimes();

  @Test
  void nothingMeasured_isZero() {
    assertThat(times.known()).isFalse();
    assertThat(times.of(12)).isZero();
  }

  @Test
  void firstCall_isTheEstimateOfItsCostOnly() {
    measured(12, 250);
    assertThat(times.known()).isTrue();
    assertThat(times.of(12)).isEqualTo(Duration.ofMillis(250));
    assertThat(times.of(10)).isZero();
  }

  @Test
  void coldStart_isForgottenWithinAFewCalls() {
    measured(12, 3_000);
    for (int i = 0; i < 12; i++) {
      measured(12, 250);
    }
    assertThat(times.of(12)).isBetween(Duration.ofMillis(250), Duration.ofMillis(350));
  }

  @Test
  void oneSlowCall_hardlyShows_lastingSlownessDoes() {
    measured(12, 200);
    measured(12, 60_000);
    assertThat(times.of(12)).isEqualTo(Duration.ofMillis(225));
    for (int i = 0; i < 40; i++) {
      measured(12, 2_000);
    }
    assertThat(times.of(12)).isBetween(Duration.ofMillis(1_800), Duration.ofMillis(2_000));
  }

  private void measured(int cost, long millis) {
    times.measured(cost, Duration.ofMillis(millis));
  }
}
