package dev.spillway.hashing.micrometer;

import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.hashing.pool.PoolAnswer;
import dev.spillway.hashing.pool.PoolMeters;
import dev.spillway.hashing.pool.PoolState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The pool's meters, by their Prometheus names {@code spillway_pool_*}. */
final class MicrometerPoolMeters implements PoolMeters {
  private final MeterRegistry registry;
  private final Timer admittedWait;
  private final Timer refusedWait;
  private final Map<PoolAnswer.Reason, Counter> refused = new EnumMap<>(PoolAnswer.Reason.class);
  private final Timer digested;
  private final Timer abandoned;
  private final Timer failed;

  MicrometerPoolMeters(MeterRegistry registry) {
    this.registry = registry;
    this.admittedWait = waits("admitted");
    this.refusedWait = waits("refused");
    for (PoolAnswer.Reason reason : PoolAnswer.Reason.values()) {
      refused.put(
          reason,
          Counter.builder("spillway.pool.refused")
              .description("Callers not admitted")
              .tag("reason", reason.label())
              .register(registry));
    }
    this.digested = hashes("digested");
    this.abandoned = hashes("abandoned");
    this.failed = hashes("failed");
  }

  @Override
  public void observe(PoolState pool) {
    Gauge.builder("spillway.pool.size", pool, PoolState::size)
        .description("Hashes that may run at once")
        .register(registry);
    Gauge.builder("spillway.pool.threads", pool, PoolState::threads)
        .description("Hashing threads, each with an equal part of the permits")
        .register(registry);
    Gauge.builder("spillway.pool.permits.used", pool, p -> p.size() - p.free())
        .description("Permits held by running hashes")
        .register(registry);
    Gauge.builder("spillway.pool.waiting", pool, PoolState::waiting)
        .description("Callers in line for a permit")
        .register(registry);
    Gauge.builder("spillway.pool.hash.estimate", pool, p -> p.hashTime(10).toNanos() / 1e9)
        .description("Running estimate of one hash of cost 10")
        .baseUnit("seconds")
        .register(registry);
  }

  @Override
  public void admitted(Duration waited) {
    admittedWait.record(waited);
  }

  @Override
  public void refused(PoolAnswer.Reason reason, Duration waited) {
    refused.get(reason).increment();
    refusedWait.record(waited);
  }

  @Override
  public void ended(DigestResult result, Duration elapsed) {
    switch (result) {
      case DigestResult.Digested ok -> digested.record(elapsed);
      case DigestResult.Abandoned dropped -> abandoned.record(elapsed);
      case DigestResult.Failed bug -> failed.record(elapsed);
    }
  }

  private Timer waits(String outcome) {
    return Timer.builder("spillway.pool.wait")
        .description("Time in line for a permit")
        .tag("outcome", outcome)
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5))
        .register(registry);
  }

  private Timer hashes(String outcome) {
    return Timer.builder("spillway.pool.hash")
        .description("Time on a hash thread")
        .tag("outcome", outcome)
        .serviceLevelObjectives(
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofMillis(1600))
        .register(registry);
  }
}
