package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.auth.hashing.spill.FakeFunction;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attacks on the bill: the pool is full, and every hash that is spilled costs money. */
@QuarkusTest
@TestProfile(WalletAttackTest.Throttled.class)
@Timeout(120)
class WalletAttackTest {
  private static final String RIGHT = "correct horse";
  private static final int FEW = 10;

  private static FakeFunction function;

  @Inject HashPool pool;
  @Inject UserDirectory users;
  @Inject SpendCeiling ceiling;
  @Inject MeterRegistry meters;

  public static class Throttled implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(new Spilling().getConfigOverrides());
      config.put("spillway.hashing.deadline", "8s");
      config.put("spillway.throttle.exempt", "127.0.0.2");
      config.put("spillway.network.trusted-proxies", "127.0.0.1,::1");
      return config;
    }
  }

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void users() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(new NewUser(new LoginName("ann"), TestHash.of(RIGHT), true, false, Set.of()));
    function.computes();
    function.forget();
  }

  /**
   * A spray from the network of a user who is at home there. Case 56: an attacker who sprays user A
   * must not take the service from user B.
   */
  @Test
  void spray_buysItsFirstFew_andTheUserAtHomeIsServedMeanwhile() throws Exception {
    assertThat(login("ann", RIGHT, "203.0.113.1").statusCode()).isEqualTo(200);
    function.forget();
    try (HeldPool held = HeldPool.hold(pool);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> spray = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String guessed = "user" + i;
        spray.add(clients.submit(() -> login(guessed, "password1", "203.0.113.1").statusCode()));
      }
      await().until(() -> function.count() > 0);
      for (int i = 0; i < 5; i++) {
        assertThat(login("ann", RIGHT, "203.0.113.1").statusCode()).isEqualTo(200);
      }
      for (Future<Integer> guess : spray) {
        assertThat(guess.get()).isIn(401, 429, 503);
      }
    }
    assertThat(function.count()).isBetween(1 + 5, FEW + 5);
    assertThat(refused("suspect")).isPositive();
  }

  /** Guesses at the account of the user at home, from elsewhere. */
  @Test
  void guessesAtOneAccount_doNotTakeItsSpillFromItsUser() throws Exception {
    assertThat(login("ann", RIGHT, "203.0.113.2").statusCode()).isEqualTo(200);
    function.forget();
    try (HeldPool held = HeldPool.hold(pool)) {
      for (int i = 0; i < FEW; i++) {
        assertThat(login("ann", "wrong", "198.51.100." + i).statusCode()).isEqualTo(401);
      }
      assertThat(login("ann", RIGHT, "198.51.100.99").statusCode())
          .as("from a network where it never was, while the pool is full")
          .isEqualTo(503);
      assertThat(login("ann", RIGHT, "203.0.113.2").statusCode()).as("at home").isEqualTo(200);
    }
    assertThat(function.count()).isEqualTo(FEW + 1);
  }

  @Test
  void admin_stopsAllSpilling_andLetsItGoOn() {
    String token = Api.login("admin", LocalOnly.ADMIN_PASSWORD).path("access_token");
    assertThat(change(token, "{\"open\":false}").path("open").equals(false)).isTrue();
    try (HeldPool held = HeldPool.hold(pool)) {
      Response shed = login("ann", RIGHT, "203.0.113.3");
      assertThat(shed.statusCode()).isEqualTo(503);
      assertThat(Integer.parseInt(shed.header("Retry-After"))).isPositive();
      assertThat(function.count()).isZero();
      assertThat(change(token, "{\"open\":true}").path("open").equals(true)).isTrue();
      assertThat(login("ann", RIGHT, "203.0.113.3").statusCode()).isEqualTo(200);
    }
    assertThat(function.count()).isOne();
    await().until(() -> ceiling.report().hour() > 0);
    assertThat(given().put("/spend").statusCode()).as("without a token").isIn(401, 415);
    assertThat(given().get("/spend").statusCode()).as("without a token").isEqualTo(401);
    assertThat(change(token, "{}").statusCode()).isEqualTo(400);
  }

  private static Response change(String token, String body) {
    return given()
        .header("Authorization", "Bearer " + token)
        .contentType(ContentType.JSON)
        .body(body)
        .put("/spend");
  }

  private static Response login(String login, String password, String forwardedFor) {
    return given()
        .contentType("application/json")
        .header("X-Forwarded-For", forwardedFor)
        .body(Map.of("login", login, "password", password))
        .post("/login");
  }

  private double refused(String reason) {
    return meters.get("spillway.spend.refused").tag("reason", reason).counter().count();
  }
}
