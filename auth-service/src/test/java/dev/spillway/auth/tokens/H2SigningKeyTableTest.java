package dev.spillway.auth.tokens;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file, opened as the service opens it. */
class H2SigningKeyTableTest extends SigningKeyTableContract {
  @TempDir static Path database;
  private static JdbcConnectionPool pool;

  @BeforeAll
  static void open() {
    pool =
        JdbcConnectionPool.create(
            "jdbc:h2:async:" + database + "/./spillway;WRITE_DELAY=0", "spillway", "");
  }

  @AfterAll
  static void close() {
    pool.dispose();
  }

  @Override
  DataSource dataSource() {
    return pool;
  }
}
