package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThrottleConfigTest {
  @Test
  void defaults() {
    ThrottleConfig config = read();
    assertThat(config.accountLimit()).isEqualTo(5);
    assertThat(config.networkLimit()).isEqualTo(100);
    assertThat(config.guardLimit()).isEqualTo(50);
    assertThat(config.window()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.exempt()).isEmpty();
  }

  @Test
  void everyKey_isRead() {
    ThrottleConfig config =
        read(
            "spillway.throttle.account-limit",
            "1",
            "spillway.throttle.network-limit",
            "2",
            "spillway.throttle.guard-limit",
            "1000000",
            "spillway.throttle.window",
            "1s",
            "spillway.throttle.exempt",
            "10.0.0.0/8,::1");
    assertThat(config.accountLimit()).isEqualTo(1);
    assertThat(config.networkLimit()).isEqualTo(2);
    assertThat(config.guardLimit()).isEqualTo(1_000_000);
    assertThat(config.window()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.exempt()).hasValue(List.of("10.0.0.0/8", "::1"));
  }

  @ParameterizedTest
  @CsvSource({
    "account-limit, 0",
    "account-limit, 1000001",
    "network-limit, 0",
    "network-limit, 1000001",
    "guard-limit, 0",
    "guard-limit, 1000001",
    "window, 999ms",
    "window, 86401s",
    "lock, 5",
  })
  void impossibleValue_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> read("spillway.throttle." + key, value))
        .hasMessageContaining("spillway.throttle." + key);
  }

  @Test
  void exemptionOfNoNetwork_isRefusedNamingTheKey() {
    for (String networks : new String[] {"everybody", "10.0.0.0/99", "10.0.0.0/8,10.1"}) {
      // S1: with the other settings, before anything has happened.
      assertThatThrownBy(() -> read("spillway.throttle.exempt", networks))
          .hasMessageContaining("spillway.throttle.exempt");
    }
  }

  private static ThrottleConfig read(String... keysAndValues) {
    return ConfigText.read(ThrottleConfig.class, keysAndValues);
  }
}
