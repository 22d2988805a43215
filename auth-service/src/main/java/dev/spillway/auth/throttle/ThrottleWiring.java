package dev.spillway.auth.throttle;

import dev.spillway.auth.database.Database;
import dev.spillway.hashing.pool.HashPool;
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
  Throttle throttle(ThrottleConfig config, Database database, HashPool pool) {
    InstantSource clock = InstantSource.system();
    Tallies tallies = new Tallies(database, clock, config.window(), config.homeFor());
    return new Throttle(config, tallies, new Sweep(tallies)::nowAndThen, pool.size(), clock);
  }
}
