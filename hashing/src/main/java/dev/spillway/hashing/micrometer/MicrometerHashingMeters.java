package dev.spillway.hashing.micrometer;

import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.HashingMeters;
import dev.spillway.hashing.pool.PoolState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * {@code spillway_hashing_total}: every hash asked for, by where it was computed, or that it was
 * not; and what a login of the configured cost would meet if it came now.
 */
final class MicrometerHashingMeters implements HashingMeters {
  private final MeterRegistry registry;
  private final Counter local;
  private final Counter spilled;
  private final Counter shed;
  private final Counter gone;

  MicrometerHashingMeters(MeterRegistry registry) {
    this.registry = registry;
    this.local = counter(registry, "local");
    this.spilled = counter(registry, "spilled");
    this.shed = counter(registry, "shed");
    this.gone = counter(registry, "gone");
  }

  @Override
  public void observe(PoolState pool, int cost) {
    Gauge.builder("spillway.hashing.cost", () -> cost)
        .description("Cost of new hashes")
        .register(registry);
    Gauge.builder("spillway.hashing.wait.estimate", pool, p -> seconds(p.expectedWait()))
        .description("Time in line for a permit, of a hash that came now")
        .baseUnit("seconds")
        .register(registry);
  }

  @Override
  public void shed() {
    shed.increment();
  }

  @Override
  public void computed(HashAnswer.Path path) {
    switch (path) {
      case LOCAL -> local.increment();
      case SPILLED -> spilled.increment();
    }
  }

  @Override
  public void gone() {
    gone.increment();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static Counter counter(MeterRegistry registry, String path) {
    return Counter.builder("spillway.hashing")
        .description("Hashes asked for, by path")
        .tag("path", path)
        .register(registry);
  }
}
