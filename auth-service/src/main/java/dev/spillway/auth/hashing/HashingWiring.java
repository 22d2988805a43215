package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.PooledBcrypt;
import dev.spillway.hashing.PooledBcryptBuilder;
import dev.spillway.hashing.cpu.CpuWatch;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.spill.Spill;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Makes the pooled bcrypt from its configuration. */
@ApplicationScoped
class HashingWiring {
  private static final Logger LOG = Logger.getLogger(HashPool.class);

  @Produces
  @Singleton
  @Startup
  PooledBcrypt bcrypt(
      PoolConfig config,
      HashingConfig hashing,
      Spill spill,
      SpendCeiling ceiling,
      MeterRegistry registry) {
    PooledBcryptBuilder builder =
        PooledBcrypt.builder()
            .priority(config.priority())
            .cost(hashing.cost())
            .maxCost(hashing.maxCost())
            .enqueueTimeout(config.enqueueTimeout())
            .maxWait(config.maxWait())
            .deadline(hashing.deadline())
            .spill(spill)
            .spending(ceiling)
            .meters(
                MicrometerMeters.hashing(registry),
                MicrometerMeters.pool(registry),
                MicrometerMeters.spill(registry));
    config.threads().ifPresent(builder::threads);
    switch (config.engine()) {
      case LANES -> config.lanes().ifPresent(builder::lanes);
      case SPRING -> builder.engine(new SpringDigestEngine());
    }
    PooledBcrypt bcrypt = builder.build();
    MicrometerMeters.cpu(bcrypt.cpu(), registry);
    LOG.infof(
        "Hash pool: %s; enqueue timeout %d ms, max wait %d ms, deadline %d ms, cost %d",
        bcrypt.describe(),
        config.enqueueTimeout().toMillis(),
        config.maxWait().toMillis(),
        hashing.deadline().toMillis(),
        hashing.cost());
    return bcrypt;
  }

  void close(@Disposes PooledBcrypt bcrypt) {
    bcrypt.close();
  }

  @Produces
  @Singleton
  Hashing hashing(PooledBcrypt bcrypt) {
    return bcrypt.hashing();
  }

  @Produces
  @Singleton
  HashPool pool(PooledBcrypt bcrypt) {
    return bcrypt.pool();
  }

  @Produces
  @Singleton
  CpuWatch cpu(PooledBcrypt bcrypt) {
    return bcrypt.cpu();
  }
}
