package dev.spillway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsistentTest {
  @Test
  void defaults_fit() {
    assertThat(read()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.pool.enqueue-timeout=10s spillway.pool.max-wait=10s spillway.hashing.deadline=11s",
    "spillway.hashing.cost=15",
    "spillway.spend.per-hour=25 spillway.spend.per-day=25",
    "spillway.sessions.idle=1m", // not enabled
    "spillway.sessions.enabled=true spillway.sessions.idle=16m spillway.sessions.longest=16m",
  })
  void boundsThemselves_fit(String settings) {
    assertThat(read(settings.split("[ =]"))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.pool.max-wait must be, spillway.pool.max-wait=24ms",
    "spillway.hashing.deadline must be, spillway.hashing.deadline=0ms",
    "spillway.hashing.deadline must be, spillway.hashing.deadline=-1s",
    "spillway.hashing.deadline must be, spillway.hashing.deadline=1s",
    "spillway.hashing.cost must not, spillway.hashing.cost=16",
    "spillway.spend.per-hour must not, spillway.spend.per-hour=26",
    "spillway.tokens.sealing.use has, spillway.tokens.sealing.use=a spillway.tokens.key-files=k",
    "spillway.tokens.rotation.every must, spillway.tokens.rotation.every=361s",
    "spillway.sessions.idle must, spillway.sessions.enabled=true spillway.sessions.idle=15m",
    "spillway.sessions.longest must, spillway.sessions.enabled=true spillway.sessions.longest=23h",
  })
  void misfit_stopsTheStartNamingTheKey(String expected, String settings) {
    assertThatThrownBy(() -> read(settings.split("[ =]")))
        .isInstanceOf(ConfigValidationException.class)
        .hasMessageContaining("cannot work: " + expected);
  }

  private static Consistent.Settings read(String... keysAndValues) {
    return ConfigText.read(Consistent.Settings.class, keysAndValues);
  }
}
