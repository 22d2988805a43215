package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import dev.spillway.core.wire.DigestRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpillConfigTest {
  private static final String SEALING = "spillway.spill.sealing.";
  private static final String ONE = "spillway.spill.targets.one.";

  @Test
  void defaults() {
    SpillConfig config = read();
    assertThat(config.targets()).isEmpty();
    SpillConfig.Target target =
        read(ONE + "function", "arn:aws:lambda:eu-west-3:1:function:f").targets().get("one");
    assertThat(target.region()).isEmpty();
    assertThat(target.endpoint()).isEmpty();
    assertThat(target.maxOutstanding()).isEqualTo(50);
  }

  @Test
  void everyKey_isRead() {
    SpillConfig config =
        read(
            ONE + "function",
            "f:live",
            ONE + "region",
            "eu-central-1",
            ONE + "endpoint",
            "https://lambda.test",
            ONE + "max-outstanding",
            "10000");
    assertThat(config.targets()).containsOnlyKeys("one");
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

  @ParameterizedTest
  @CsvSource({
    "cool-down, 1s",
    "hedge, true",
    "keep-warm-interval, 4m",
  })
  void unknownKey_isRefusedNamingIt(String key, String value) {
    assertThatThrownBy(() -> read("spillway.spill." + key, value))
        .hasMessageContaining("spillway.spill." + key);
  }

  @Test
  void targetWithoutFunction_isRefusedNamingTheKey() {
    assertThatThrownBy(() -> read(ONE + "region", "r")).hasMessageContaining(ONE + "function");
  }

  @Test
  void sealing_isRead() {
    String keys = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    SpillConfig.Sealing config = read(SEALING + "keys", keys, SEALING + "use", "a").sealing();
    assertThat(config.keys()).hasValue(keys);
    assertThat(config.use()).hasValue("a");
    assertThat(read().sealing().use()).isEmpty();

    DigestRequest none = new DigestRequest(List.of());
    String sealed = "\"key\":\"a\"";
    assertThat(utf8(Sealing.of(config).apply(none))).contains(sealed);
    assertThat(utf8(Sealing.of(read().sealing()).apply(none))).doesNotContain(sealed);
  }

  @Test
  void sealingThatCannotWork_isRefused_withoutAWordOfTheKey() {
    String keys = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    assertRefused(SEALING + "use names a key", SEALING + "use", "a");
    assertRefused(SEALING + "keys is set", SEALING + "keys", keys);
    assertRefused("no key of the id b", SEALING + "keys", keys, SEALING + "use", "b");
    assertThatThrownBy(() -> read(SEALING + "keys", "{\"a\":\"c0ffee\"}", SEALING + "use", "a"))
        .hasMessageContaining(SEALING + "keys: must be a JSON object")
        .hasMessageNotContaining("c0ffee");
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void assertRefused(String message, String... keysAndValues) {
    // S1: with the other settings, before anything has happened.
    assertThatThrownBy(() -> read(keysAndValues)).hasMessageContaining(message);
  }

  private static SpillConfig read(String... keysAndValues) {
    return ConfigText.read(SpillConfig.class, keysAndValues);
  }
}
