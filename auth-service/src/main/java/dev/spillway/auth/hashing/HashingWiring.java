package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.pool.HashCpu;
import dev.spillway.auth.hashing.pool.HashPool;
import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.pool.PoolPlan;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.auth.hashing.spill.Spill;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import io.micrometer.core.instrument.MeterRegistry;
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

  @Produces
  @Singleton
  DigestEngine engine(PoolConfig config) {
    return switch (config.engine()) {
      case LANES -> Engines.proven(config.lanes().orElse(LaneChoice.BEFOREHAND), LOG::error);
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
  HashPool pool(
      PoolConfig config,
      HashingConfig hashing,
      DigestEngine engine,
      HashCpu cpu,
      MeterRegistry meters) {
    check(config, hashing);
    PoolPlan plan = PoolPlan.of(config);
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
        meters);
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
    HashingMeters counters = new HashingMeters(meters);
    counters.observe(pool, hashing.cost());
    return new Hashing(
        pool, spill, ceiling, config.enqueueTimeout(), config.maxWait(), hashing.cost(), counters);
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
