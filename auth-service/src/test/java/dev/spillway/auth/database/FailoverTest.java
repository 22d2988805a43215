package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * D1, D2: logins go on while a database of two nodes meets each condition. Nobody is answered 500,
 * no verdict is wrong, every verdict is in the audit log, and what is written is written again
 * afterwards.
 */
@QuarkusTest
@TestProfile(FailoverTest.Service.class)
@QuarkusTestResource(value = PostgresPair.class, restrictToAnnotatedClass = true)
@EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverTest {
  /** With sessions, each right login writes. */
  public static class Service extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.sessions.enabled", "true");
      config.put("quarkus.log.min-level", "INFO");
      return config;
    }
  }

  private static final String PASSWORD = "correct horse";
  private static final int CLIENTS = 4;

  /** For the figures of docs/failure-modes.md; the machine may be busy. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  PostgresPair nodes;

  @Inject UserDirectory users;
  @Inject Database database;

  private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
  private final AtomicInteger granted = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<Thread> clients = new ArrayList<>();
  private int grantedBefore;

  @BeforeEach
  void logins() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    users.create(
        new NewUser(new LoginName("ann"), TestHash.of("2b", 4, PASSWORD), false, false, Set.of()));
    grantedBefore = audited();
    for (int i = 0; i < CLIENTS; i++) {
      boolean right = i % 2 == 0;
      clients.add(Thread.ofVirtual().start(() -> logInUntilEnded(right)));
    }
    awaitGrants();
  }

  @AfterEach
  void everyVerdict_isRightAndAudited() throws InterruptedException {
    ended.set(true);
    for (Thread client : clients) {
      client.join();
    }
    System.out.println("  answers: " + answers);
    assertThat(answers.keySet()).isSubsetOf("right 200", "right 503", "wrong 401", "wrong 503");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(audited() - grantedBefore).isGreaterThanOrEqualTo(granted.get()));
  }

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
  @EnabledIfSystemProperty(named = "failover.tests", matches = "true", disabledReason = "by hand")
  void killedServer() throws IOException {
    nodes.first().signal("KILL");
    awaitRefusals();
    nodes.first().restart();
    awaitRecovery("killed and restarted");
  }

  /** D1: the old primary stays up, and takes no changes any more. */
  @Test
  @Order(5)
  @EnabledIfSystemProperty(named = "failover.tests", matches = "true", disabledReason = "by hand")
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

  private void awaitRefusals() {
    int before = refusals();
    await().atMost(PATIENCE).until(() -> refusals() >= before + CLIENTS);
  }

  private void awaitRecovery(String condition) {
    long start = System.nanoTime();
    awaitGrants();
    System.out.printf(
        "%s: %d ms from its end to the next login that writes%n",
        condition, Duration.ofNanos(System.nanoTime() - start).toMillis());
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
  }

  private void awaitGrants() {
    int before = granted.get();
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(() -> granted.get() > before + 1);
  }

  private int refusals() {
    return answers.entrySet().stream()
        .filter(answer -> answer.getKey().endsWith("503"))
        .mapToInt(answer -> answer.getValue().get())
        .sum();
  }

  private void logInUntilEnded(boolean right) {
    while (!ended.get()) {
      Response answer = Api.login("ann", right ? PASSWORD : "wrong");
      int status = answer.statusCode();
      if (status == 503) {
        assertThat(answer.header("Retry-After")).isNotNull();
      } else if (status == 200) {
        granted.incrementAndGet();
      }
      answers
          .computeIfAbsent((right ? "right " : "wrong ") + status, any -> new AtomicInteger())
          .incrementAndGet();
    }
  }

  /**
   * Right logins in the log, also of those that were answered 503 because no session could begin.
   */
  private int audited() {
    return database.run(
        connection -> {
          try (Statement sum = connection.createStatement();
              ResultSet row =
                  sum.executeQuery(
                      "SELECT COALESCE(SUM(times), 0) FROM audit_log"
                          + " WHERE login = 'ann' AND outcome = 'granted'")) {
            row.next();
            return row.getInt(1);
          }
        });
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
