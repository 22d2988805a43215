package dev.spillway.auth.database;

import dev.spillway.auth.schedule.Recurring;
import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import java.time.Duration;
import java.util.Optional;

/** Keeps the embedded database's file as small as what is in it, nearly. */
@ApplicationScoped
class EmbeddedUpkeep {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private Optional<Recurring> compacting = Optional.empty();

  void start(
      @Observes StartupEvent event,
      DatabaseConfig config,
      @Any InjectableInstance<AgroalDataSource> sources,
      MeterRegistry registry) {
    if (config.database().kind() == DatabaseConfig.Kind.H2) {
      Upkeep upkeep = new Upkeep("embedded_file", registry);
      EmbeddedFile file = new EmbeddedFile(sources.listActive().getFirst());
      compacting =
          Optional.of(
              Recurring.every("embedded-database", INTERVAL, () -> upkeep.run(file::compact)));
    }
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    if (compacting.isPresent()) {
      var _ = compacting.get().close(INTERVAL);
    }
  }
}
