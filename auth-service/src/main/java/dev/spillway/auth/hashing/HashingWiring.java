package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.lanes.Engines;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.cpu.CpuWatch;
import dev.spillway.hashing.cpu.HashCpu;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.pool.PoolPlan;
import dev.spillway.hashing.spill.Spill;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Makes the pool and the router from their configuration, and refuses what cannot work. */
@ApplicationScoped
class HashingWiring {
  private static final Logger LOG = Logger.getLogger(HashPool.class);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /** Right on every machine seen; one more is better on some. */
  private static final int LANES_UNTIL_MEASURED = 2;

  @Produces
  @Singleton
  DigestEngine engine(PoolConfig config) {
    return switch (config.engine()) {
      case LANES -> Engines.proven(config.lanes().orElse(LANES_UNTIL_MEASURED), LOG::error);
      case SPRING -> new SpringDigestEngine();
    };
  }

  @Produces
  @Singleton
  HashCpu cpu() {
    return new HashCpu();
  }

  @Produces
  @Singleton
  @Startup
  CpuWatch watch(HashCpu cpu, MeterRegistry registry) {
    CpuWatch watch = new CpuWatch(cpu);
    MicrometerMeters.cpu(watch, registry);
    return watch;
  }

  void close(@Disposes CpuWatch watch) {
    watch.close();
  }

  @Produces
  @Singleton
  HashPool pool(
      PoolConfig config,
      HashingConfig hashing,
      DigestEngine engine,
      HashCpu cpu,
      MeterRegistry meters) {
    check(config, hashing);
    PoolPlan plan = PoolPlan.of(config.threads(), config.priority());
    LOG.infof(
        "Hash pool: %s; enqueue timeout %d ms, max wait %d ms, deadline %d ms, cost %d",
        plan.describe(engine),
        config.enqueueTimeout().toMillis(),
        config.maxWait().toMillis(),
        hashing.deadline().toMillis(),
        hashing.cost());
    return new HashPool(
        engine,
        plan.threads(),
        hashing.cost(),
        true,
        plan.priority()::applyToCallingThread,
        cpu,
        MicrometerMeters.pool(meters));
  }

  void close(@Disposes HashPool pool) {
    pool.close();
  }

  @Produces
  @Singleton
  Hashing hashing(
      HashPool pool,
      Spill spill,
      SpendCeiling ceiling,
      PoolConfig config,
      HashingConfig hashing,
      MeterRegistry meters) {
    return new Hashing(
        pool,
        spill,
        ceiling,
        config.enqueueTimeout(),
        config.maxWait(),
        hashing.cost(),
        MicrometerMeters.hashing(meters));
  }

  private static void check(PoolConfig pool, HashingConfig hashing) {
    Duration wait = pool.enqueueTimeout();
    if (!wait.isPositive() || wait.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "spillway.pool.enqueue-timeout must be more than 0 and at most 10s");
    }
    if (wait.compareTo(pool.maxWait()) > 0) {
      throw new IllegalArgumentException(
          "spillway.pool.max-wait must be at least spillway.pool.enqueue-timeout: it bounds the"
              + " whole time in line");
    }
    if (pool.maxWait().compareTo(hashing.deadline()) >= 0) {
      throw new IllegalArgumentException(
          "spillway.hashing.deadline must be longer than spillway.pool.max-wait: the hash needs"
              + " time after the wait");
    }
    if (hashing.cost() > hashing.maxCost()) {
      throw new IllegalArgumentException(
          "spillway.hashing.cost must not exceed spillway.hashing.max-cost: nobody could log in");
    }
  }
}
