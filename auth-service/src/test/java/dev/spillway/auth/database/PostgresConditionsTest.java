package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** D1, D2: conditions of a real PostgreSQL are no bugs of ours. */
class PostgresConditionsTest {
  @RegisterExtension static final TestDatabase POSTGRES = TestDatabase.postgres();

  private Database database;

  @BeforeEach
  void table() {
    database = new Database(POSTGRES.source());
    database.run(connection -> execute(connection, "CREATE TABLE IF NOT EXISTS rows (id INT)"));
  }

  /** D1. */
  @Test
  void readOnlyDatabase_isUnavailableAndNotAskedAgainByItsConnections() {
    int[] renewed = {0};
    Database watched = new Database(POSTGRES.source(), () -> renewed[0]++, () -> {});
    assertThatThrownBy(
            () ->
                watched.inTransaction(
                    connection -> {
                      execute(connection, "SET TRANSACTION READ ONLY");
                      return execute(connection, "INSERT INTO rows VALUES (1)");
                    }))
        .isInstanceOf(DatabaseUnavailable.class);
    assertThat(renewed[0]).isEqualTo(1);
    assertThat(watched.isWritable()).isTrue();
  }

  /** D1: readiness. */
  @Test
  void standby_isNotWritable() {
    database.run(
        connection ->
            execute(connection, "ALTER SYSTEM SET default_transaction_read_only = on")
                | execute(connection, "SELECT pg_reload_conf()"));
    try {
      org.awaitility.Awaitility.await().until(() -> !database.isWritable());
    } finally {
      database.run(
          connection ->
              execute(connection, "SET default_transaction_read_only = off")
                  | execute(connection, "ALTER SYSTEM RESET default_transaction_read_only")
                  | execute(connection, "RESET default_transaction_read_only")
                  | execute(connection, "SELECT pg_reload_conf()"));
    }
    org.awaitility.Awaitility.await().until(database::isWritable);
  }

  /** D2. */
  @Test
  void statementTimeout_isUnavailable() throws SQLException {
    try (Connection holder = POSTGRES.source().getConnection()) {
      holder.setAutoCommit(false);
      execute(holder, "LOCK TABLE rows");
      for (String timeout : new String[] {"statement_timeout", "lock_timeout"}) {
        assertThatThrownBy(
                () ->
                    database.inTransaction(
                        connection -> {
                          execute(connection, "SET LOCAL " + timeout + " = '50ms'");
                          return execute(connection, "SELECT * FROM rows");
                        }))
            .as(timeout)
            .isInstanceOf(DatabaseUnavailable.class);
      }
      holder.rollback();
      holder.setAutoCommit(true);
    }
  }

  /** A pooler in transaction mode forgets what a session has prepared. */
  @Test
  void forgottenStatement_isUnavailable() {
    assertThatThrownBy(() -> database.run(connection -> execute(connection, "EXECUTE gone")))
        .isInstanceOf(DatabaseUnavailable.class);
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }
}
