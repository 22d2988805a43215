package dev.spillway.auth.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The connection pool, lent for one piece of work at a time. A database that cannot serve now
 * becomes {@link DatabaseUnavailable}; any other exception that the work does not handle is a bug.
 */
public final class Database {
  /** The first transaction wins a conflict; to lose this often in a row is overload. */
  private static final int MAX_ATTEMPTS = 5;

  private final DataSource source;
  private final Runnable renew;
  private final Runnable persist;

  public Database(DataSource source) {
    this(source, () -> {}, () -> {});
  }

  /**
   * @param renew has the source make new connections instead of those it has; must not wait
   * @param persist has what was committed survive this process, where it does not by itself
   */
  Database(DataSource source, Runnable renew, Runnable persist) {
    this.source = source;
    this.renew = renew;
    this.persist = persist;
  }

  /** Work on a borrowed connection. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Runs statements that each stand for themselves. */
  public <T> T run(Work<T> work) {
    try (Connection connection = connect()) {
      return work.on(connection);
    } catch (SQLException e) {
      SqlFailure failure = SqlFailure.of(e);
      if (failure == SqlFailure.STALE) {
        renew.run();
      }
      throw switch (failure) {
        case CONFLICT, UNAVAILABLE, STALE -> new DatabaseUnavailable(e);
        case DUPLICATE, BUG -> new IllegalStateException("statement refused", e);
      };
    }
  }

  /**
   * Runs statements in one transaction. Work that lost against another transaction, or met a row
   * inserted meanwhile, runs again from the start.
   */
  public <T> T inTransaction(Work<T> work) {
    return run(
        connection -> {
          for (int attempt = 1; ; attempt++) {
            try {
              return once(connection, work);
            } catch (SQLException e) {
              SqlFailure failure = SqlFailure.of(e);
              boolean again = failure == SqlFailure.CONFLICT || failure == SqlFailure.DUPLICATE;
              if (!again || attempt == MAX_ATTEMPTS) {
                throw e;
              }
            }
          }
        });
  }

  /** A change in one transaction with what comes along. */
  public <T> T inTransaction(Work<T> change, AddedRows<? super T> extra) {
    T answer =
        inTransaction(
            connection -> {
              T changed = change.on(connection);
              extra.write(connection, changed);
              return changed;
            });
    persist.run();
    extra.committed();
    return answer;
  }

  /** Whether a change could be made now. */
  boolean isWritable() {
    try {
      return run(
          connection -> {
            if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
              return connection.isValid(1);
            }
            try (Statement ask = connection.createStatement();
                ResultSet row = ask.executeQuery("SHOW transaction_read_only")) {
              boolean writable = row.next() && row.getString(1).equals("off");
              if (!writable) {
                renew.run();
              }
              return writable;
            }
          });
    } catch (DatabaseUnavailable e) {
      return false;
    }
  }

  private static <T> T once(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.rollback();
      } catch (SQLException worse) {
        e.addSuppressed(worse);
      }
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Whatever the reason, having no connection is not the request's fault. */
  private Connection connect() {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw new DatabaseUnavailable(e);
    }
  }
}
