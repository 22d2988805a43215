package dev.spillway.auth.hashing.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpendConfigTest {
  @Test
  void defaults() {
    SpendConfig config = read();
    assertThat(config.enabled()).isTrue();
    assertThat(config.perMinute()).isEqualTo(60_000);
    assertThat(config.perHour()).isEqualByComparingTo("5");
    assertThat(config.perDay()).isEqualByComparingTo("25");
    assertThat(config.nearPercent()).isEqualTo(80);
    assertThat(config.memoryMegabytes()).isEqualTo(1769);
    assertThat(config.gigabyteSecondPrice()).isEqualByComparingTo("0.0000133334");
    assertThat(config.callPrice()).isEqualByComparingTo("0.0000002");
  }

  @Test
  void everyKey_isRead() {
    SpendConfig config =
        read(
            "spillway.spend.enabled",
            "false",
            "spillway.spend.per-minute",
            "1",
            "spillway.spend.per-hour",
            "0.5",
            "spillway.spend.per-day",
            "1000000",
            "spillway.spend.near-percent",
            "100",
            "spillway.spend.memory-megabytes",
            "128",
            "spillway.spend.gigabyte-second-price",
            "0.0000166667",
            "spillway.spend.call-price",
            "0");
    assertThat(config.enabled()).isFalse();
    assertThat(config.perMinute()).isEqualTo(1);
    assertThat(config.perHour()).isEqualByComparingTo("0.5");
    assertThat(config.perDay()).isEqualByComparingTo("1000000");
    assertThat(config.nearPercent()).isEqualTo(100);
    assertThat(config.memoryMegabytes()).isEqualTo(128);
    assertThat(config.gigabyteSecondPrice()).isEqualByComparingTo("0.0000166667");
    assertThat(config.callPrice()).isEqualByComparingTo(BigDecimal.ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "per-minute, 0",
    "per-minute, 10000001",
    "per-hour, 0",
    "per-hour, 1000001",
    "per-hour, $5",
    "per-day, 0",
    "near-percent, 0",
    "near-percent, 101",
    "memory-megabytes, 127",
    "memory-megabytes, 10241",
    "gigabyte-second-price, -1",
    "call-price, -1",
    "per-week, 5",
  })
  void impossibleValue_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> read("spillway.spend." + key, value))
        .hasMessageContaining("spillway.spend." + key);
  }

  @Test
  void hourAboveItsDay_isRefusedNamingTheKey() {
    SpendConfig config = read("spillway.spend.per-hour", "26");
    assertThatThrownBy(() -> new SpendWiring().ceiling(config, null, null, null))
        .hasMessageContaining("spillway.spend.per-hour");
  }

  private static SpendConfig read(String... keysAndValues) {
    return ConfigText.read(SpendConfig.class, keysAndValues);
  }
}
