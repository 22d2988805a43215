package dev.spillway.auth.database;

import io.agroal.api.AgroalDataSource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Keeps the embedded database's file as small as what is in it, nearly. */
@ApplicationScoped
class EmbeddedUpkeep {
  private static final Logger LOG = Logger.getLogger(EmbeddedUpkeep.class);
  private static final long INTERVAL_SECONDS = 1;

  private final ScheduledExecutorService clockwork =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("embedded-database").daemon().factory());

  void start(
      @Observes StartupEvent event,
      DatabaseConfig config,
      @Any InjectableInstance<AgroalDataSource> sources) {
    if (config.database().kind() == DatabaseConfig.Kind.H2) {
      EmbeddedFile file = new EmbeddedFile(sources.listActive().getFirst());
      var _ =
          clockwork.scheduleWithFixedDelay(
              () -> compact(file), INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    clockwork.shutdown();
    var _ = clockwork.awaitTermination(1, TimeUnit.SECONDS);
  }

  private static void compact(EmbeddedFile file) {
    try {
      file.compact();
    } catch (RuntimeException e) {
      LOG.debug("The embedded database's file could not be compacted; next time", e);
    }
  }
}
