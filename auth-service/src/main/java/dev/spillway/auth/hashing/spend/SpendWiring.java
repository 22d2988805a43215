package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Makes the ceiling from its configuration, and settles it once a second. */
@ApplicationScoped
class SpendWiring {
  private static final Logger LOG = Logger.getLogger(SpendCeiling.class);
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  private final ScheduledExecutorService clerk =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("spend-ledger").daemon().factory());

  @Produces
  @Singleton
  @Startup
  SpendCeiling ceiling(
      SpendConfig config,
      Database database,
      MeterRegistry registry,
      PrometheusMeterRegistry measured) {
    check(config);
    InstantSource clock = InstantSource.system();
    SpendCeiling ceiling =
        new SpendCeiling(
            config,
            new Ledger(database, clock),
            new MeasuredCalls(measured)::soFar,
            new SpendMeters(registry),
            clock);
    settle(ceiling); // who asks first must find the switch as it is
    var _ =
        clerk.scheduleWithFixedDelay(
            () -> settle(ceiling), BETWEEN.toMillis(), BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
    return ceiling;
  }

  @PreDestroy
  void close() {
    clerk.shutdownNow();
  }

  private static void settle(SpendCeiling ceiling) {
    try {
      ceiling.settle();
    } catch (RuntimeException e) {
      LOG.error("What spilling costs could not be written down", e);
    }
  }

  private static void check(SpendConfig config) {
    if (config.perHour().compareTo(config.perDay()) > 0) {
      throw new IllegalArgumentException(
          "spillway.spend.per-hour must not exceed spillway.spend.per-day");
    }
  }
}
