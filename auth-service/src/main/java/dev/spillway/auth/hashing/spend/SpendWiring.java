package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.schedule.Recurring;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Makes the ceiling from its configuration, and settles it once a second. */
@ApplicationScoped
class SpendWiring {
  private static final Logger LOG = Logger.getLogger(SpendCeiling.class);
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  private Optional<Recurring> settling = Optional.empty();

  @Produces
  @Singleton
  @Startup
  SpendCeiling ceiling(
      SpendConfig config,
      Database database,
      MeterRegistry registry,
      PrometheusMeterRegistry measured) {
    InstantSource clock = InstantSource.system();
    SpendCeiling ceiling =
        new SpendCeiling(
            config,
            new Ledger(database, clock),
            new MeasuredCalls(measured)::soFar,
            new SpendMeters(registry),
            clock);
    settle(ceiling); // who asks first must find the switch as it is
    settling = Optional.of(Recurring.every("spend-ledger", BETWEEN, () -> settle(ceiling)));
    return ceiling;
  }

  @PreDestroy
  void close() {
    settling.ifPresent(Recurring::close);
  }

  private static void settle(SpendCeiling ceiling) {
    try {
      ceiling.settle();
    } catch (RuntimeException e) {
      LOG.error("What spilling costs could not be written down", e);
    }
  }
}
