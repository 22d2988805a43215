package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import dev.spillway.core.wire.DigestRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpillConfigTest {
  private static final String SEALING = "spillway.spill.sealing.";
  private static final String ONE = "spillway.spill.targets.one.";

  @Test
  void defaults() {
    SpillConfig config = read();
    assertThat(config.targets()).isEmpty();
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.coolDown()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.longestCoolDown()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.retryPercent()).isEqualTo(10);
    assertThat(config.groupWait()).isEqualTo(Duration.ofMillis(25));
    assertThat(config.maxGroup()).isEqualTo(3);
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
            "spillway.spill.connect-timeout",
            "250ms",
            "spillway.spill.cool-down",
            "2s",
            "spillway.spill.longest-cool-down",
            "1m",
            "spillway.spill.retry-percent",
            "0",
            "spillway.spill.group-wait",
            "0ms",
            "spillway.spill.max-group",
            "16",
            ONE + "function",
            "f:live",
            ONE + "region",
            "eu-central-1",
            ONE + "endpoint",
            "https://lambda.test",
            ONE + "max-outstanding",
            "10000");
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(250));
    assertThat(config.coolDown()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.longestCoolDown()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.retryPercent()).isZero();
    assertThat(config.groupWait()).isZero();
    assertThat(config.maxGroup()).isEqualTo(16);
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
    "retry-percent, -1",
    "retry-percent, 101",
    "max-group, 0",
    "max-group, 17",
    "hedge, true",
    "keep-warm-interval, 4m",
  })
  void unusableRule_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> read("spillway.spill." + key, value))
        .hasMessageContaining("spillway.spill." + key);
  }

  @Test
  void targetWithoutFunction_isRefusedNamingTheKey() {
    assertThatThrownBy(() -> read(ONE + "region", "r")).hasMessageContaining(ONE + "function");
  }

  @ParameterizedTest
  @CsvSource({
    "connect-timeout, 0ms",
    "connect-timeout, -1ms",
    "connect-timeout, 10001ms",
    "cool-down, 0ms",
    "cool-down, 601s",
    "longest-cool-down, 999ms",
    "longest-cool-down, 601s",
    "group-wait, -1ms",
    "group-wait, 1001ms",
  })
  void durationOutOfBounds_isRefusedNamingTheKey(String key, String value) {
    assertRefused(
        "spillway.spill." + key,
        "spillway.spill." + key,
        value,
        ONE + "function",
        "f",
        ONE + "region",
        "r");
  }

  @Test
  void sealing_isRead_fromAFileLikewise(@TempDir Path directory) throws IOException {
    String keys = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    SpillConfig.Sealing config = read(SEALING + "keys", keys, SEALING + "use", "a").sealing();
    assertThat(config.keys()).hasValue(keys);
    assertThat(config.use()).hasValue("a");
    assertThat(read().sealing().use()).isEmpty();

    DigestRequest none = new DigestRequest(List.of());
    Path file = Files.writeString(directory.resolve("keys"), keys + "\n");
    String sealed = "\"key\":\"a\"";
    assertThat(utf8(Sealing.of(config).apply(none))).contains(sealed);
    assertThat(
            utf8(
                Sealing.of(
                        read(SEALING + "keys-file", file.toString(), SEALING + "use", "a")
                            .sealing())
                    .apply(none)))
        .contains(sealed);
    assertThat(utf8(Sealing.of(read().sealing()).apply(none))).doesNotContain(sealed);
  }

  @Test
  void sealingThatCannotWork_isRefused_withoutAWordOfTheKey() {
    String keys = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    assertRefused(SEALING + "use names a key", SEALING + "use", "a");
    assertRefused(SEALING + "keys is set", SEALING + "keys", keys);
    assertRefused("no key of the id b", SEALING + "keys", keys, SEALING + "use", "b");
    assertRefused(
        "either", SEALING + "keys", keys, SEALING + "keys-file", "f", SEALING + "use", "a");
    assertRefused("cannot be read: /none", SEALING + "keys-file", "/none", SEALING + "use", "a");
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
