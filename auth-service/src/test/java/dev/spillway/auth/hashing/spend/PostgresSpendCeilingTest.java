package dev.spillway.auth.hashing.spend;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A real PostgreSQL. */
class PostgresSpendCeilingTest extends SpendCeilingContract {
  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws IOException {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @Override
  DataSource dataSource() {
    return postgres.getPostgresDatabase();
  }
}
