package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logins when there are more of them than the pool has room for, and nowhere to spill to. */
@QuarkusTest
@TestProfile(LocalOnly.class)
@Timeout(60)
class LoginUnderLoadTest {
  private static final String PASSWORD = "correct horse";

  @Inject HashPool pool;
  @Inject HashingConfig config;
  @Inject UserDirectory users;
  @Inject MeterRegistry meters;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    user("quick", TestHash.of(PASSWORD));
    user("slow", TestHash.of("2b", 10, PASSWORD));
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void saturated_everyLoginIsShedAndNoneDecided() {
    double denied = outcome("denied");
    double shed = outcome("shed");
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    try (HeldPool held = HeldPool.hold(pool)) {
      long start = System.nanoTime();
      for (String login : new String[] {"quick", "nobody"}) {
        answers.add(login(login, PASSWORD));
        answers.add(login(login, "wrong"));
      }
      await().until(() -> pool.waiting() == answers.size());
      assertHealthy();
      // What holds the pool seems to take as long as the last hashes here make it seem.
      long most = 2 * pool.hashTime(HeldPool.COST).toSeconds() + 10;
      for (var answer : answers) {
        assertShed(answer.join(), most);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("the pool is held for minutes")
          .isLessThan(config.deadline().plusSeconds(15));
    }
    assertThat(outcome("shed") - shed).isEqualTo(answers.size());
    assertThat(outcome("denied") - denied).isZero();
    assertThat(login("quick", PASSWORD).join().statusCode()).as("afterwards").isEqualTo(200);
  }

  /** What no hash is needed for is answered as ever. */
  @Test
  void saturated_impossiblePasswordIsDeniedAtOnce() {
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("quick", "a".repeat(73)).join().statusCode()).isEqualTo(401);
      assertThat(login("quick", "").join().statusCode()).isEqualTo(400);
      assertThat(pool.waiting()).isZero();
    }
  }

  @Test
  void released_theLineIsServed() {
    CompletableFuture<HttpResponse<String>> right;
    CompletableFuture<HttpResponse<String>> wrong;
    try (HeldPool held = HeldPool.hold(pool)) {
      right = login("quick", PASSWORD);
      wrong = login("quick", "wrong");
      await().until(() -> pool.waiting() == 2);
    }
    assertThat(right.join().statusCode()).isEqualTo(200);
    assertThat(wrong.join().statusCode()).isEqualTo(401);
  }

  /**
   * More work than fits before the deadline: each answer is the right one, or that there is none.
   */
  @Test
  void crowd_isAnsweredRightlyOrShed() {
    List<CompletableFuture<HttpResponse<String>>> right = new ArrayList<>();
    List<CompletableFuture<HttpResponse<String>>> wrong = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      right.add(login("slow", PASSWORD));
      wrong.add(login(i % 2 == 0 ? "slow" : "nobody", "wrong"));
    }
    await().until(() -> pool.waiting() > 0);
    assertHealthy();
    assertThat(statuses(right)).contains(200).isSubsetOf(200, 503);
    assertThat(statuses(wrong)).contains(401).isSubsetOf(401, 503);
    await().until(() -> pool.free() == pool.size());
    assertThat(pool.waiting()).isZero();
  }

  private static Set<Integer> statuses(List<CompletableFuture<HttpResponse<String>>> answers) {
    return Set.copyOf(answers.stream().map(answer -> answer.join().statusCode()).toList());
  }

  private static void assertHealthy() {
    given().get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
    given().get("/q/health/ready").then().statusCode(200).body("status", equalTo("UP"));
  }

  private static void assertShed(HttpResponse<String> answer, long mostSeconds) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue(Problem.MEDIA_TYPE);
    assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(1L, mostSeconds);
    assertThat(answer.body()).contains("urn:spillway:overloaded");
  }

  private double outcome(String outcome) {
    return meters.get("spillway.login").tag("outcome", outcome).counter().count();
  }

  private CompletableFuture<HttpResponse<String>> login(String login, String password) {
    String body = "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password);
    return client.sendAsync(
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/login"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void user(String login, String hash) {
    users.create(new NewUser(LoginName.parse(login).orElseThrow(), hash, true, false, Set.of()));
  }
}
