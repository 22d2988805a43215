package dev.spillway.auth.throttle;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A real PostgreSQL, with a pool of connections as the service has it. */
class PostgresThrottleTest extends ThrottleContract {
  private static EmbeddedPostgres postgres;
  private static AgroalDataSource pool;

  @BeforeAll
  static void start() throws IOException, SQLException {
    postgres = EmbeddedPostgres.start();
    pool =
        AgroalDataSource.from(
            new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(
                    connections ->
                        connections
                            .maxSize(16)
                            .acquisitionTimeout(Duration.ofSeconds(20))
                            .connectionFactoryConfiguration(
                                factory ->
                                    factory
                                        .jdbcUrl(postgres.getJdbcUrl("postgres", "postgres"))
                                        .principal(new NamePrincipal("postgres"))
                                        .credential(new SimplePassword("postgres")))));
  }

  @AfterAll
  static void stop() throws IOException {
    pool.close();
    postgres.close();
  }

  @Override
  DataSource dataSource() {
    return pool;
  }
}
