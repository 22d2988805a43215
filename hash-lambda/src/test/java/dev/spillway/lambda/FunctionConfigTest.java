package dev.spillway.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FunctionConfigTest {
  private static final Duration RESERVE = Duration.ofMillis(250);

  @Test
  void boundsThemselves_areFine() {
    assertThatCode(() -> DigestHandler.checkBounds(new Config(4, Duration.ZERO, 1)))
        .doesNotThrowAnyException();
    assertThatCode(() -> DigestHandler.checkBounds(new Config(31, RESERVE, 4)))
        .doesNotThrowAnyException();
  }

  @Test
  void beyondABound_theMessageNamesTheKey() {
    refused(new Config(3, RESERVE, 3), "spillway.function.max-cost");
    refused(new Config(32, RESERVE, 3), "spillway.function.max-cost");
    refused(new Config(15, Duration.ofMillis(-1), 3), "spillway.function.reserve");
    refused(new Config(15, RESERVE, 0), "spillway.function.lanes");
    refused(new Config(15, RESERVE, 6), "spillway.function.lanes");
  }

  @Test
  void sealingThatCannotBe_isRefused_withoutAWordOfTheKey() {
    String keys = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    Duration minute = Duration.ofMinutes(1);
    assertThat(DigestHandler.opener(new Seals(Optional.of(keys), true, minute)).required())
        .isTrue();
    assertThat(DigestHandler.opener(new Seals(Optional.empty(), false, minute)).required())
        .isFalse();
    assertThatThrownBy(() -> DigestHandler.opener(new Seals(Optional.empty(), true, minute)))
        .hasMessageContaining("spillway.function.sealing.required");
    assertThatThrownBy(() -> DigestHandler.opener(new Seals(Optional.of("c0ffee"), true, minute)))
        .hasMessageContaining("spillway.function.sealing.keys")
        .hasMessageNotContaining("c0ffee");
    for (Duration window : new Duration[] {Duration.ofMillis(999), Duration.ofSeconds(301)}) {
      assertThatThrownBy(() -> DigestHandler.opener(new Seals(Optional.of(keys), true, window)))
          .hasMessageContaining("spillway.function.sealing.window");
    }
  }

  private static void refused(FunctionConfig config, String key) {
    assertThatThrownBy(() -> DigestHandler.checkBounds(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  record Seals(Optional<String> keys, boolean required, Duration window)
      implements FunctionConfig.Sealing {}

  private record Config(int maxCost, Duration reserve, int lanes) implements FunctionConfig {
    @Override
    public Sealing sealing() {
      return new Seals(Optional.empty(), false, Duration.ofMinutes(1));
    }

    @Override
    public Engine engine() {
      return Engine.LANES;
    }
  }
}
