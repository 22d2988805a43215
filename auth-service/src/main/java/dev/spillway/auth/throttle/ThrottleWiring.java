package dev.spillway.auth.throttle;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Upkeep;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Makes the throttle from its configuration. */
@ApplicationScoped
class ThrottleWiring {
  @Produces
  @Singleton
  @Startup
  Throttle throttle(
      ThrottleConfig config, Database database, HashPool pool, MeterRegistry registry) {
    InstantSource clock = InstantSource.system();
    Tallies tallies = new Tallies(database, clock, config.window());
    return new Throttle(
        config,
        tallies,
        new Sweep(tallies, new Upkeep("tallies", registry))::nowAndThen,
        pool.size(),
        clock);
  }
}
