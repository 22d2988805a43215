package dev.spillway.auth.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database of one test class, with as many connections as the service has by default. */
public abstract sealed class TestDatabase implements BeforeAllCallback, AfterAllCallback {
  private static final int CONNECTIONS = 16;

  /** H2 in a file, opened as the service opens it. */
  public static TestDatabase h2File() {
    return new H2File();
  }

  /** A real PostgreSQL. */
  public static TestDatabase postgres() {
    return new Postgres();
  }

  /** As application.properties has it. */
  static String h2Url(Path directory) {
    return "jdbc:h2:async:" + directory + "/./spillway;WRITE_DELAY=100;RETENTION_TIME=2000";
  }

  public abstract DataSource source();

  private static final class H2File extends TestDatabase {
    private Path directory;
    private JdbcConnectionPool pool;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
      directory = Files.createTempDirectory("spillway-h2");
      pool = JdbcConnectionPool.create(h2Url(directory), "spillway", "");
      pool.setMaxConnections(CONNECTIONS);
    }

    @Override
    public DataSource source() {
      return pool;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
      pool.dispose();
      List<Path> files;
      try (Stream<Path> found = Files.walk(directory)) {
        files = found.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static final class Postgres extends TestDatabase {
    private EmbeddedPostgres server;
    private AgroalDataSource pool;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
      server = PostgresServer.start();
      pool =
          AgroalDataSource.from(
              new AgroalDataSourceConfigurationSupplier()
                  .connectionPoolConfiguration(
                      connections ->
                          connections
                              .maxSize(CONNECTIONS)
                              .acquisitionTimeout(Duration.ofSeconds(20))
                              // As Quarkus sets it: a connection that broke is not lent again.
                              .exceptionSorter(new PostgreSQLExceptionSorter())
                              .connectionFactoryConfiguration(
                                  factory ->
                                      factory
                                          .jdbcUrl(server.getJdbcUrl("postgres", "postgres"))
                                          .principal(new NamePrincipal("postgres"))
                                          .credential(new SimplePassword("postgres")))));
    }

    @Override
    public DataSource source() {
      return pool;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
      pool.close();
      server.close();
    }
  }
}
