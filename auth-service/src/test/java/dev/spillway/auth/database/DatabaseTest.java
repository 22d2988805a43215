package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseTest {
  private JdbcConnectionPool pool;
  private Database database;

  @BeforeEach
  void open() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "spillway", "");
    pool.setMaxConnections(1);
    pool.setLoginTimeout(1);
    database = new Database(pool);
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  @Test
  void exhaustedPool_isUnavailable() throws SQLException {
    try (Connection held = pool.getConnection()) {
      assertThat(held.isValid(1)).isTrue();
      assertThatThrownBy(() -> database.run(connection -> 1))
          .isInstanceOf(DatabaseUnavailable.class);
    }
    assertThat(database.<Integer>run(connection -> 1)).isEqualTo(1);
  }

  @Test
  void connection_isGivenBackWhateverHappens() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> database.run(connection -> execute(connection, "no SQL")))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () ->
                  database.inTransaction(
                      connection -> {
                        throw new IllegalArgumentException("on purpose");
                      }))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(pool.getActiveConnections()).isZero();
  }

  @Test
  void lostConflict_isTriedAgainAndThenUnavailable() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                database.inTransaction(
                    connection -> {
                      attempts.incrementAndGet();
                      throw new SQLException("serialization failure", "40001");
                    }))
        .isInstanceOf(DatabaseUnavailable.class);
    assertThat(attempts).hasValue(5);
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }
}
