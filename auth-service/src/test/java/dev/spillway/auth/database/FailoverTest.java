package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** D1, D2, on two real nodes with streaming replication. */
@QuarkusTest
@TestProfile(FailoverTest.OnPair.class)
@QuarkusTestResource(value = PostgresPair.class, restrictToAnnotatedClass = true)
@EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverTest extends LoginsMeanwhile {
  /** Its own, for another start. */
  public static class OnPair extends Service {}

  PostgresPair nodes;

  /** D2. */
  @Test
  @Order(1)
  void statementTimeout() throws SQLException {
    nodes.first().sql("ALTER SYSTEM SET statement_timeout = '300ms'", "SELECT pg_reload_conf()");
    try (Connection holder = nodes.first().connect()) {
      holder.setAutoCommit(false);
      execute(holder, "LOCK TABLE users");
      awaitRefusals();
    } finally {
      nodes
          .first()
          .sql(
              "SET statement_timeout = 0",
              "ALTER SYSTEM RESET statement_timeout",
              "SELECT pg_reload_conf()");
    }
    awaitRecovery("statement time-out");
  }

  @Test
  @Order(2)
  void noConnectionLeft() throws SQLException {
    List<Connection> taken = new ArrayList<>();
    try (Connection operator = nodes.first().connect()) {
      execute(
          operator,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'spillway'");
      int before = refusals();
      while (refusals() < before + CLIENTS) {
        try {
          taken.add(nodes.first().connect());
        } catch (SQLException full) {
          execute(
              operator,
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE application_name = 'spillway'");
        }
      }
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
    awaitRecovery("no connection left");
  }

  @Test
  @Order(3)
  void frozenServer() {
    nodes.first().signal("STOP");
    try {
      awaitRefusals();
    } finally {
      nodes.first().signal("CONT");
    }
    awaitRecovery("frozen");
  }

  @Test
  @Order(4)
  void fullDisk() throws IOException {
    assumeTrue(nodes.hasDiskOfItsOwn(), "only root can give the server a small disk");
    Path fill = nodes.fillDisk();
    try {
      awaitRefusals();
    } finally {
      Files.delete(fill);
    }
    awaitRecovery("full disk");
  }

  @Test
  @Order(5)
  void killedServer() throws IOException {
    nodes.first().signal("KILL");
    awaitRefusals();
    nodes.first().restart();
    awaitRecovery("killed and restarted");
  }

  /** D1: the old primary stays up, and takes no changes any more. */
  @Test
  @Order(6)
  void demotedServer_isLeftForTheOneThatWasPromoted() {
    nodes
        .first()
        .sql("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
    awaitRefusals();
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 503);
    String last = nodes.first().ask("SELECT pg_current_wal_lsn()");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                nodes
                    .second()
                    .ask("SELECT pg_last_wal_replay_lsn() >= '%s'::pg_lsn".formatted(last))
                    .equals("t"));
    nodes.second().sql("SELECT pg_promote()");
    awaitRecovery("demoted, and another promoted");
    assertThat(nodes.second().ask("SELECT pg_is_in_recovery()")).isEqualTo("f");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
