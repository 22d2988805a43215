package dev.spillway.auth.database;

import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Keeps the embedded database's file as small as what is in it, nearly. */
@ApplicationScoped
class EmbeddedUpkeep {
  private static final long INTERVAL_SECONDS = 1;

  private final ScheduledExecutorService clockwork =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("embedded-database").daemon().factory());

  void start(
      @Observes StartupEvent event,
      DatabaseConfig config,
      @Any InjectableInstance<AgroalDataSource> sources,
      MeterRegistry registry) {
    if (config.database().kind() == DatabaseConfig.Kind.H2) {
      Upkeep upkeep = new Upkeep("embedded_file", registry);
      EmbeddedFile file = new EmbeddedFile(sources.listActive().getFirst());
      var _ =
          clockwork.scheduleWithFixedDelay(
              () -> upkeep.run(file::compact),
              INTERVAL_SECONDS,
              INTERVAL_SECONDS,
              TimeUnit.SECONDS);
    }
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    clockwork.shutdown();
    var _ = clockwork.awaitTermination(1, TimeUnit.SECONDS);
  }
}
