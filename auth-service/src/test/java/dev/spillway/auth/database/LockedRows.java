package dev.spillway.auth.database;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Rows of a PostgreSQL that somebody has changed and not committed yet. */
public final class LockedRows implements AutoCloseable {
  private final DataSource source;
  private final Connection connection;

  private LockedRows(DataSource source, Connection connection) {
    this.source = source;
    this.connection = connection;
  }

  /**
   * @param update changes them
   */
  public static LockedRows by(DataSource source, String update) throws SQLException {
    Connection connection = source.getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(update);
    }
    return new LockedRows(source, connection);
  }

  /** Returns when another transaction waits for a lock. */
  public void awaitWaiter() {
    await().until(this::somebodyWaits);
  }

  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.setAutoCommit(true);
    connection.close();
  }

  private boolean somebodyWaits() throws SQLException {
    try (Connection other = source.getConnection();
        Statement ask = other.createStatement();
        ResultSet row = ask.executeQuery("SELECT 1 FROM pg_locks WHERE NOT granted")) {
      return row.next();
    }
  }
}
