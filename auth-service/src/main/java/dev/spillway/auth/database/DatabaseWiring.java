package dev.spillway.auth.database;

import io.agroal.api.AgroalDataSource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Picks the one datasource that the configuration made active. */
final class DatabaseWiring {
  @Produces
  @Singleton
  Database database(@Any InjectableInstance<AgroalDataSource> sources) {
    return new Database(
        sources.listActive().stream()
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "No database is configured; is spillway.database.url set to nothing?")));
  }
}
