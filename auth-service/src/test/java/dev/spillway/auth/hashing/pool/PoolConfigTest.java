package dev.spillway.auth.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import dev.spillway.hashing.pool.HashPriority;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolConfigTest {
  @Test
  void defaults() {
    PoolConfig config = read();
    assertThat(config.threads()).isEmpty();
    assertThat(config.engine()).isEqualTo(PoolConfig.Engine.LANES);
    assertThat(config.lanes()).isEmpty();
    assertThat(config.priority()).isEqualTo(HashPriority.LOWERED);
    assertThat(config.enqueueTimeout()).isEqualTo(Duration.ofMillis(25));
    assertThat(config.maxWait()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void everyKey_isRead() {
    PoolConfig config =
        read(
            "spillway.pool.threads", "1024",
            "spillway.pool.engine", "spring",
            "spillway.pool.lanes", "4",
            "spillway.pool.priority", "normal",
            "spillway.pool.enqueue-timeout", "7ms",
            "spillway.pool.max-wait", "700ms");
    assertThat(config.threads()).isEqualTo(OptionalInt.of(1024));
    assertThat(config.engine()).isEqualTo(PoolConfig.Engine.SPRING);
    assertThat(config.lanes()).hasValue(4);
    assertThat(config.priority()).isEqualTo(HashPriority.NORMAL);
    assertThat(config.enqueueTimeout()).isEqualTo(Duration.ofMillis(7));
    assertThat(config.maxWait()).isEqualTo(Duration.ofMillis(700));
  }

  @ParameterizedTest
  @CsvSource({
    "threads, 0",
    "threads, -1",
    "threads, 1025",
    "threads, 2147483648",
    "threads, many",
    "engine, bouncy",
    "lanes, 0",
    "lanes, 6",
    "lanes, wide",
    "priority, realtime",
    "priority, idle",
    "enqueue-timeout, soon",
  })
  void unusableValue_isRefusedNamingTheKey(String key, String value) {
    String name = "spillway.pool." + key;
    assertThatThrownBy(() -> read(name, value)).hasMessageContaining(name);
  }

  @Test
  void unknownKey_isRefused() {
    assertThatThrownBy(() -> read("spillway.pool.thread", "3"))
        .hasMessageContaining("spillway.pool.thread");
  }

  private static PoolConfig read(String... keysAndValues) {
    return ConfigText.read(PoolConfig.class, keysAndValues);
  }
}
