package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.ConfigText;
import dev.spillway.hashing.PooledBcrypt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ShedLogTest {
  private final Counter shed = new SimpleMeterRegistry().counter("shed");
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // may overflow

  @Test
  void refusals_areExplainedAtOnce_andThenOnceAMinute() {
    HashingConfig config = ConfigText.read(HashingConfig.class);
    try (PooledBcrypt bcrypt = PooledBcrypt.builder().threads(1).lanes(2).build()) {
      ShedLog log = new ShedLog(config, bcrypt, shed, nanos::get);
      assertThat(log.look()).isEmpty();

      shed.increment();
      assertThat(log.look().orElseThrow())
          .startsWith("Requests answered 503: 1. 0 of 2 lanes")
          .contains("nowhere to spill", "load average");
      shed.increment(5);
      nanos.addAndGet(Duration.ofSeconds(59).toNanos());
      assertThat(log.look()).isEmpty();
      shed.increment();
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(log.look().orElseThrow()).startsWith("Requests answered 503: 6.");
      nanos.addAndGet(Duration.ofMinutes(2).toNanos());
      assertThat(log.look()).isEmpty();
    }
  }
}
