package dev.spillway.auth.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import io.smallrye.config.ConfigValidationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionConfigTest {
  @Test
  void defaults() {
    SessionConfig config = ConfigText.read(SessionConfig.class);
    assertThat(config.enabled()).isFalse();
    assertThat(config.idle()).isEqualTo(Duration.ofHours(24));
    assertThat(config.longest()).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void everyKey_canBeSet() {
    SessionConfig config =
        ConfigText.read(
            SessionConfig.class,
            "spillway.sessions.enabled",
            "true",
            "spillway.sessions.idle",
            "1h",
            "spillway.sessions.longest",
            "2h");
    assertThat(config.enabled()).isTrue();
    assertThat(config.idle()).isEqualTo(Duration.ofHours(1));
    assertThat(config.longest()).isEqualTo(Duration.ofHours(2));
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.sessions.idle, 0s",
    "spillway.sessions.idle, 366d",
    "spillway.sessions.longest, 0s",
    "spillway.sessions.longest, 3651d",
    "spillway.sessions.nonsense, 1",
  })
  void impossibleOrUnknown_isRefused(String key, String value) {
    assertThatThrownBy(() -> ConfigText.read(SessionConfig.class, key, value))
        .isInstanceOf(ConfigValidationException.class)
        .hasMessageContaining(key);
  }
}
