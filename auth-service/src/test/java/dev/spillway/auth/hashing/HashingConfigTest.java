package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spill.SpillCalls;
import dev.spillway.hashing.PooledBcrypt;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashingConfigTest {
  @Test
  void defaults() {
    HashingConfig config = hashing();
    assertThat(config.cost()).isEqualTo(12);
    assertThat(config.maxCost()).isEqualTo(15);
    assertThat(config.deadline()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.truncateForLegacy()).isFalse();
    assertThat(config.rehash()).isTrue();
    wire(pool(), config).close();
  }

  @Test
  void everyKey_isRead() {
    HashingConfig config =
        hashing(
            "spillway.hashing.cost", "4",
            "spillway.hashing.max-cost", "31",
            "spillway.hashing.deadline", "700ms",
            "spillway.hashing.rehash", "false",
            "spillway.hashing.truncate-for-legacy", "true");
    assertThat(config.cost()).isEqualTo(4);
    assertThat(config.maxCost()).isEqualTo(31);
    assertThat(config.deadline()).isEqualTo(Duration.ofMillis(700));
    assertThat(config.truncateForLegacy()).isTrue();
    assertThat(config.rehash()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "cost, 3",
    "cost, 32",
    "cost, -1",
    "cost, twelve",
    "max-cost, 3",
    "max-cost, 32",
    "deadline, later",
  })
  void unusableValue_isRefusedNamingTheKey(String key, String value) {
    String name = "spillway.hashing." + key;
    assertThatThrownBy(() -> hashing(name, value)).hasMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0ms", "-1ms", "PT-5S", "10001ms", "25"})
  void enqueueTimeout_isMoreThanNothingAndAtMostTenSeconds(String timeout) {
    assertThatThrownBy(() -> pool("spillway.pool.enqueue-timeout", timeout))
        .hasMessageContaining("spillway.pool.enqueue-timeout");
  }

  @Test
  void limits_themselvesAreFine() {
    wire(
            pool(
                "spillway.pool.enqueue-timeout", "10s",
                "spillway.pool.max-wait", "10s",
                "spillway.pool.threads", "1"),
            hashing("spillway.hashing.deadline", "20s", "spillway.hashing.cost", "15"))
        .close();
  }

  @Test
  void engine_isTheConfiguredOne() {
    try (PooledBcrypt spring = wire(pool("spillway.pool.engine", "spring"), hashing());
        PooledBcrypt lanes = wire(pool("spillway.pool.lanes", "3"), hashing())) {
      assertThat(spring.pool().engine().name()).isEqualTo("spring");
      assertThat(lanes.pool().engine().lanes()).isEqualTo(3);
    }
  }

  private static PooledBcrypt wire(PoolConfig pool, HashingConfig hashing) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    return new HashingWiring().bcrypt(pool, hashing, SpillCalls.nowhere(registry), null, registry);
  }

  private static PoolConfig pool(String... keysAndValues) {
    return ConfigText.read(PoolConfig.class, keysAndValues);
  }

  private static HashingConfig hashing(String... keysAndValues) {
    return ConfigText.read(HashingConfig.class, keysAndValues);
  }
}
