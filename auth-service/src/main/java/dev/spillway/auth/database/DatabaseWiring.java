package dev.spillway.auth.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Picks the one datasource that the configuration made active. */
final class DatabaseWiring {
  /** A database that stays read-only is not to be asked for new connections all the time. */
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(1);

  @Produces
  @Singleton
  Database database(DatabaseConfig config, @Any InjectableInstance<AgroalDataSource> sources) {
    AgroalDataSource source =
        sources.listActive().stream()
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "No database is configured; is spillway.database.url set to nothing?"));
    return switch (config.database().kind()) {
      case POSTGRESQL ->
          new Database(source, atMostEach(BETWEEN_RENEWALS, () -> renew(source)), () -> {});
      case H2 -> {
        EmbeddedFile file = new EmbeddedFile(source);
        file.restrict();
        yield new Database(source, () -> {}, file::persist);
      }
    };
  }

  /** Those in use are closed when they are given back. */
  private static void renew(AgroalDataSource source) {
    source.flush(FlushMode.GRACEFUL);
  }

  private static Runnable atMostEach(Duration time, Runnable task) {
    AtomicLong dueNanos = new AtomicLong(System.nanoTime());
    return () -> {
      long due = dueNanos.get();
      long now = System.nanoTime();
      if (now - due >= 0 && dueNanos.compareAndSet(due, now + time.toNanos())) {
        task.run();
      }
    };
  }
}
