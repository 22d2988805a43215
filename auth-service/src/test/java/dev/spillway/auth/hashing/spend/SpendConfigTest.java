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
    assertThat(config.perHour()).isEqualByComparingTo("5");
    assertThat(config.perDay()).isEqualByComparingTo("25");
    assertThat(config.secondPrice()).isEqualByComparingTo("0.0000230337");
  }

  @Test
  void everyKey_isRead() {
    SpendConfig config =
        read(
            "spillway.spend.per-hour",
            "0.5",
            "spillway.spend.per-day",
            "1000000",
            "spillway.spend.second-price",
            "0");
    assertThat(config.perHour()).isEqualByComparingTo("0.5");
    assertThat(config.perDay()).isEqualByComparingTo("1000000");
    assertThat(config.secondPrice()).isEqualByComparingTo(BigDecimal.ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "per-minute, 60000",
    "per-hour, 0",
    "per-hour, 1000001",
    "per-hour, $5",
    "per-day, 0",
    "second-price, -1",
    "per-week, 5",
  })
  void impossibleValue_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> read("spillway.spend." + key, value))
        .hasMessageContaining("spillway.spend." + key);
  }

  private static SpendConfig read(String... keysAndValues) {
    return ConfigText.read(SpendConfig.class, keysAndValues);
  }
}
