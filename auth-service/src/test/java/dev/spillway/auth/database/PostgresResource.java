package dev.spillway.auth.database;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** A real PostgreSQL for tests that start the whole service. */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {
  private EmbeddedPostgres postgres;

  @Override
  public Map<String, String> start() {
    try {
      postgres = PostgresServer.start();
      return Map.of(
          "spillway.database.kind", "postgresql",
          "spillway.database.url", postgres.getJdbcUrl("postgres", "postgres"),
          "spillway.database.username", "postgres",
          "spillway.database.password", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
