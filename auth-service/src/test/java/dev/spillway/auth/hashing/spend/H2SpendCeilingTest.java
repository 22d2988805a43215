package dev.spillway.auth.hashing.spend;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file, opened as the service opens it. */
class H2SpendCeilingTest extends SpendCeilingContract {
  @TempDir static Path directory;
  private static JdbcConnectionPool pool;

  @BeforeAll
  static void open() {
    pool =
        JdbcConnectionPool.create(
            "jdbc:h2:async:" + directory + "/./spillway;WRITE_DELAY=0", "spillway", "");
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
