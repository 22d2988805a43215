package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFileTest {
  @TempDir Path directory;

  private JdbcConnectionPool pool;
  private Database database;
  private EmbeddedFile file;

  @BeforeEach
  void open() {
    pool = JdbcConnectionPool.create(TestDatabase.h2Url(directory), "spillway", "");
    database = new Database(pool);
    file = new EmbeddedFile(pool);
    execute("CREATE TABLE entries (id VARCHAR(36) PRIMARY KEY, text VARCHAR(200))");
    execute("CREATE INDEX entries_text ON entries (text)");
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  /** D3. */
  @Test
  void file_isItsOwnersOnly() throws IOException {
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-r--r--"));
    file.restrict();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-------");
  }

  /** D5: one commit each, which H2 writes over only if it is asked to. */
  @Test
  void smallCommits_leaveAFileOfTheSizeOfWhatIsInIt() throws IOException {
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 50; i++) {
        insert(UUID.randomUUID().toString());
        file.persist();
      }
      file.compact();
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              file.compact();
              insert(UUID.randomUUID().toString());
              file.persist();
              assertThat(Files.size(path())).isLessThan(3_000_000);
            });
  }

  @Test
  void databaseInMemory_isLeftAlone() {
    JdbcConnectionPool memory =
        JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "spillway", "");
    EmbeddedFile none = new EmbeddedFile(memory);
    none.restrict();
    none.compact();
    none.persist();
    memory.dispose();
  }

  private Path path() {
    return directory.resolve("spillway.mv.db");
  }

  private void insert(String id) {
    database.run(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO entries VALUES (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, id + id);
            return insert.executeUpdate();
          }
        });
  }

  private void execute(String sql) {
    database.run(
        connection -> {
          try (var statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }
}
