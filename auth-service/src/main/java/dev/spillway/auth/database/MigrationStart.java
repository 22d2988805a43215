package dev.spillway.auth.database;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import io.quarkus.flyway.FlywayDataSource;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jboss.logging.Logger;

/** Says before the migration what the start waits for, if the database does not answer. */
final class MigrationStart {
  private static final Logger LOG = Logger.getLogger(MigrationStart.class);

  @Produces
  @Singleton
  @FlywayDataSource("pg")
  FlywayConfigurationCustomizer pg() {
    return MigrationStart::announce;
  }

  @Produces
  @Singleton
  @FlywayDataSource("h2")
  FlywayConfigurationCustomizer h2() {
    return MigrationStart::announce;
  }

  private static void announce(FluentConfiguration migration) {
    try (Connection connection = migration.getDataSource().getConnection()) {
      LOG.debugf("The database is %s", connection.getMetaData().getDatabaseProductName());
    } catch (SQLException e) {
      LOG.warnf(
          "Waiting up to %d s for the database: %s",
          migration.getConnectRetries() * migration.getConnectRetriesInterval(), e.getMessage());
    }
  }
}
