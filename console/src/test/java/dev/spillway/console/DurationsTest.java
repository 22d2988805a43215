package dev.spillway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  private final Durations durations = new Durations();

  @Test
  void timesWithTheirUnit_areRead() {
    assertThat(durations.convert("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(durations.convert("1s")).isEqualTo(Duration.ofSeconds(1));
    assertThat(durations.convert("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(durations.convert("1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "s", "-1s", "1.5s", "1 s", "1d", "99999999999s"})
  void anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> durations.convert(text)).hasMessageContaining("is no time");
  }
}
