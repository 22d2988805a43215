package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.ResultSet;
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

/**
 * D1, D2: logins go on while the database meets a condition. Nobody is answered 500, no verdict is
 * wrong, every verdict is in the audit log, and what is written is written again afterwards.
 */
abstract class LoginsMeanwhile {
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
  static final int CLIENTS = 4;

  /** For the figures of docs/failure-modes.md; the machine may be busy. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

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

  void awaitRefusals() {
    int before = refusals();
    await().atMost(PATIENCE).until(() -> refusals() >= before + CLIENTS);
  }

  void awaitRecovery(String condition) {
    long start = System.nanoTime();
    awaitGrants();
    System.out.printf(
        "%s: %d ms from its end to the next login that writes%n",
        condition, Duration.ofNanos(System.nanoTime() - start).toMillis());
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
  }

  void awaitGrants() {
    int before = granted.get();
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(() -> granted.get() > before + 1);
  }

  int refusals() {
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
}
