package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpillConfigTest {
  private static final String ONE = "spillway.spill.targets.one.";

  @Test
  void defaults() {
    SpillConfig config = read();
    assertThat(config.targets()).isEmpty();
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
    SpillConfig.Target target = read(ONE + "function", "f").targets().get("one");
    assertThat(target.region()).isEmpty();
    assertThat(target.endpoint()).isEmpty();
    assertThat(target.maxOutstanding()).isEqualTo(50);
  }

  @Test
  void everyKey_isRead() {
    SpillConfig config =
        read(
            "spillway.spill.connect-timeout",
            "250ms",
            ONE + "function",
            "f:live",
            ONE + "region",
            "eu-central-1",
            ONE + "endpoint",
            "https://lambda.test",
            ONE + "max-outstanding",
            "10000",
            "spillway.spill.targets.two.function",
            "g");
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(250));
    assertThat(config.targets()).containsOnlyKeys("one", "two");
    SpillConfig.Target target = config.targets().get("one");
    assertThat(target.function()).isEqualTo("f:live");
    assertThat(target.region()).hasValue("eu-central-1");
    assertThat(target.endpoint()).hasValue(URI.create("https://lambda.test"));
    assertThat(target.maxOutstanding()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @CsvSource({
    "max-outstanding, 0",
    "max-outstanding, -1",
    "max-outstanding, 10001",
    "max-outstanding, 2147483648",
    "endpoint, https://[",
    "functions, f",
  })
  void unusableValue_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> read(ONE + "function", "f", ONE + key, value))
        .hasMessageContaining(ONE + key);
  }

  @Test
  void targetWithoutFunction_isRefusedNamingTheKey() {
    assertThatThrownBy(() -> read(ONE + "region", "eu-central-1"))
        .hasMessageContaining(ONE + "function");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0ms", "-1ms", "10001ms"})
  void connectTimeout_isMoreThanNothingAndAtMostTenSeconds(String timeout) {
    SpillConfig config =
        read("spillway.spill.connect-timeout", timeout, ONE + "function", "f", ONE + "region", "r");
    assertThatThrownBy(() -> new SpillWiring().spill(config, new SimpleMeterRegistry()))
        .hasMessageContaining("spillway.spill.connect-timeout");
  }

  private static SpillConfig read(String... keysAndValues) {
    return ConfigText.read(SpillConfig.class, keysAndValues);
  }
}
