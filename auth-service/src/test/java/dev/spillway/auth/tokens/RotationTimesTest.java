package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RotationTimesTest {
  @Test
  void defaults_followFromWhatVerifiersAreTold() {
    RotationTimes times = times();
    assertThat(times.waiting()).isEqualTo(Duration.ofSeconds(300 + 2 * 30 + 1));
    assertThat(times.overlap()).isEqualTo(Duration.ofMinutes(15 + 1));
    assertThat(times.freshFor()).isEqualTo(Duration.ofMinutes(1));
    assertThat(times.every()).isEmpty();
  }

  @Test
  void keysAreReadMoreOftenWhereVerifiersFetchThemMoreOften() {
    assertThat(times("jwks-max-age", "2s").refresh()).isEqualTo(Duration.ofMillis(200));
    assertThat(times("jwks-max-age", "2s").waiting()).isEqualTo(Duration.ofMillis(3400));
    assertThat(times("jwks-max-age", "1h").refresh()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void rotationFasterThanItsWait_isRefused() {
    assertThat(times("rotation.every", "362s").every()).contains(Duration.ofSeconds(362));
    refused("rotation.every must be longer than the 361 s", "rotation.every", "361s");
  }

  @Test
  void scheduleForKeysFromFiles_isRefused() {
    refused("nothing to rotate", "rotation.every", "90d", "key-files", "/run/key.pem");
  }

  private static void refused(String why, String... keysAndValues) {
    assertThatThrownBy(() -> times(keysAndValues))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(why);
  }

  private static RotationTimes times(String... keysAndValues) {
    String[] prefixed = keysAndValues.clone();
    for (int i = 0; i < prefixed.length; i += 2) {
      prefixed[i] = "spillway.tokens." + prefixed[i];
    }
    return RotationTimes.of(ConfigText.read(TokenConfig.class, prefixed));
  }
}
