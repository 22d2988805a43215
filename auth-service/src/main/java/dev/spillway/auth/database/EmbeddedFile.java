package dev.spillway.auth.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/**
 * The file of an H2 database, if it has one. H2 appends what is committed; it writes over what is
 * no longer of use, and moves what still is, only while it has nothing else to do or is asked to.
 */
final class EmbeddedFile {
  /** Percent of the file that is of use, at least: less than that is written anew. */
  private static final int FILL = 80;

  private static final int BYTES_AT_ONCE = 16 * 1024 * 1024;

  private final DataSource source;

  EmbeddedFile(DataSource source) {
    this.source = source;
  }

  /** There may be a private key in it, and hashes: nobody else's to read. */
  void restrict() {
    on(
        connection -> {
          try (Statement ask = connection.createStatement();
              ResultSet row = ask.executeQuery("CALL DATABASE_PATH()")) {
            String path = row.next() ? row.getString(1) : null;
            if (path != null) {
              restrict(Path.of(path.substring(path.lastIndexOf(':') + 1) + ".mv.db"));
            }
          }
        });
  }

  private static void restrict(Path file) {
    try {
      if (Files.exists(file) && Files.getFileStore(file).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the database's file cannot be restricted to its owner", e);
    }
  }

  /** Writes what is committed to the disk. */
  void persist() {
    on(
        connection -> {
          try (Statement checkpoint = connection.createStatement()) {
            checkpoint.execute("CHECKPOINT SYNC");
          }
        });
  }

  /** Makes room for what comes, a piece at a time. */
  void compact() {
    on(
        connection -> {
          if (connection.unwrap(JdbcConnection.class).getSession()
              instanceof SessionLocal session) {
            MVStore store = session.getDatabase().getStore().getMvStore();
            // What is written over next has a successor on the disk by then.
            store.sync();
            store.compact(FILL, BYTES_AT_ONCE);
          }
        });
  }

  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  private void on(Work work) {
    new Database(source)
        .run(
            connection -> {
              work.on(connection);
              return true;
            });
  }
}
