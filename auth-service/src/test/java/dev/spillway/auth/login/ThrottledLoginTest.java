package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Guessing, seen from outside. Each test comes from networks of its own. */
@QuarkusTest
@TestProfile(ThrottledLoginTest.Throttled.class)
@Timeout(60)
class ThrottledLoginTest {
  private static final String RIGHT = "correct horse";
  private static final BcryptSetting ENDLESS = BcryptSetting.parse("$2b$20$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofHours(1);
  private static final int LIMIT = 5;

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;
  @Inject HashPool pool;

  private final List<Deadline> occupied = new ArrayList<>();

  public static class Throttled implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(new LocalOnly().getConfigOverrides());
      config.put("spillway.hashing.deadline", "20s");
      config.put("spillway.throttle.exempt", "127.0.0.2");
      config.put("spillway.network.trusted-proxies", "127.0.0.1,::1");
      return config;
    }
  }

  @BeforeEach
  void users() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    user("ann", false);
    user("disabled", true);
  }

  @AfterEach
  void free() {
    occupied.forEach(Deadline::abandon);
  }

  /** CVE-2024-4629: parallel guesses beat the counter. */
  @Test
  void parallelWrongGuesses_areHashedUpToTheLimit() throws Exception {
    HashCount hashes = new HashCount(meters);
    List<Integer> statuses = parallel(200, i -> login("ann", "wrong" + i, "203.0.113.1"));
    assertThat(statuses).contains(401, 429);
    assertThat(Set.copyOf(statuses)).as("503: a slow machine").isSubsetOf(401, 429, 503);
    // What is shed has been no guess: another comes in its place.
    int shed = Collections.frequency(statuses, 503);
    assertThat(hashes.asked()).isBetween((long) LIMIT, (long) LIMIT + pool.size() + shed);
    assertThat(Collections.frequency(statuses, 401)).isLessThanOrEqualTo(LIMIT + pool.size());
  }

  @Test
  void parallelRightLogins_allSucceed() throws Exception {
    assertThat(parallel(20, i -> login("ann", RIGHT, "203.0.113.2"))).containsOnly(200);
  }

  @Test
  void throttled_isAProblemThatSaysWhenToComeBack_andCostsNoHash() {
    guessInVain("ann", "203.0.113.3");
    HashCount hashes = new HashCount(meters);
    double throttled = counted("account");
    Response answer = login("ann", RIGHT, "203.0.113.3");
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.contentType()).isEqualTo(Problem.MEDIA_TYPE);
    assertThat(answer.path("type").toString()).isEqualTo("urn:spillway:throttled");
    assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(590, 600);
    assertThat(hashes.asked()).isZero();
    assertThat(counted("account") - throttled).isOne();
  }

  /** GHSA-cq42-vhv7-xr7p: an attacker locks the victim out. */
  @Test
  void lockedFromOneNetwork_opensFromAnother() {
    guessInVain("ann", "203.0.113.4");
    assertThat(login("ann", RIGHT, "198.51.100.4").statusCode()).isEqualTo(200);
    assertThat(login("ann", RIGHT, "203.0.113.4").statusCode()).isEqualTo(429);
  }

  /** Nothing tells whether there is such an account: not the limit, not the words. */
  @Test
  void unknownAndDisabledUsers_areThrottledAlike() {
    List<String> answers = new ArrayList<>();
    for (String who : List.of("ann", "nobody", "disabled", "no\u0001name")) {
      guessInVain(who, "203.0.113.5");
      answers.add(login(who, "wrong", "203.0.113.5").asString());
    }
    assertThat(answers).containsOnly(answers.getFirst());
  }

  /**
   * E1, as SECURITY.md says it: in a network that is over its limit, a user who is at home there is
   * let in, which shows that there is one; users from elsewhere look like nobody.
   */
  @Test
  void networkOverItsLimit_tellsWhoIsAtHomeThere_andNobodyElse() throws Exception {
    String from = "203.0.113.55";
    user("bea", false);
    assertThat(login("ann", RIGHT, from).statusCode()).isEqualTo(200);
    parallel(120, i -> login("invented" + i, "wrong", from));
    await().until(() -> login("invented", "wrong", from).statusCode() == 429);
    String nobody = login("invented", "wrong", from).asString();
    assertThat(login("bea", RIGHT, from).asString()).isEqualTo(nobody);
    assertThat(login("disabled", RIGHT, from).asString()).isEqualTo(nobody);
    assertThat(login("ann", "wrong", from).statusCode()).isEqualTo(401);
    assertThat(login("ann", RIGHT, from).statusCode()).isEqualTo(200);
  }

  /** Login names have one normal form, in the throttle too. */
  @Test
  void spellingsOfOneLogin_areOneAccount() {
    for (String spelling : List.of("ann", "ANN", "Ann", "aNN", "anN")) {
      assertThat(login(spelling, "wrong", "203.0.113.6").statusCode()).isEqualTo(401);
    }
    assertThat(login("AnN", "wrong", "203.0.113.6").statusCode()).isEqualTo(429);
  }

  /** Elasticsearch #58088: overload is not a wrong password. */
  @Test
  void overload_doesNotCount() throws Exception {
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(parallel(2 * LIMIT, i -> login("ann", "wrong", "203.0.113.7"))).containsOnly(503);
    }
    assertThat(login("ann", "wrong", "203.0.113.7").statusCode()).isEqualTo(401);
    assertThat(login("ann", RIGHT, "203.0.113.7").statusCode()).isEqualTo(200);
  }

  @Test
  void clientGone_doesNotCount() throws Exception {
    double gone = outcome("gone");
    try (HeldPool held = HeldPool.hold(pool)) {
      for (int i = 0; i < 2 * LIMIT; i++) {
        RawClient client = new RawClient(RestAssured.port);
        client.send(
            "POST",
            "/login",
            "X-Forwarded-For: 203.0.113.8\r\n",
            "{\"login\":\"ann\",\"password\":\"wrong\"}");
        await().until(() -> pool.waiting() == 1);
        client.reset();
        int left = i + 1;
        await().until(() -> outcome("gone") - gone == left);
      }
    }
    assertThat(login("ann", "wrong", "203.0.113.8").statusCode()).isEqualTo(401);
  }

  /** He hears no 200 after the first form and knows that it was wrong: a guess like any other. */
  @Test
  void clientGoneAfterAFirstFormWasWrong_counts() throws Exception {
    user("twice", false);
    for (int i = 0; i < LIMIT; i++) {
      HashCount hashes = new HashCount(meters);
      double gone = outcome("gone");
      Deadline before = occupy();
      await().until(() -> pool.free() == 0);
      RawClient client = new RawClient(RestAssured.port);
      client.send(
          "POST",
          "/login",
          "X-Forwarded-For: 203.0.113.10\r\n",
          "{\"login\":\"twice\",\"password\":\"e\\u0301\"}");
      await().until(() -> pool.waiting() == 1);
      Deadline between = occupy();
      await().until(() -> pool.waiting() == 2);
      before.abandon();
      await().until(() -> hashes.asked() == 1 && pool.waiting() == 1);
      assertThat(hashes.computed()).as("the second form is in line").isOne();
      client.reset();
      await().until(() -> outcome("gone") - gone == 1);
      between.abandon();
      await().until(() -> pool.free() == pool.size());
    }
    await()
        .untilAsserted(
            () -> assertThat(login("twice", RIGHT, "203.0.113.10").statusCode()).isEqualTo(429));
    assertThat(login("twice", RIGHT, "203.0.113.11").statusCode()).isEqualTo(200);
  }

  /** Takes the pool's one permit, in its turn, until the deadline is abandoned. */
  private Deadline occupy() {
    Deadline deadline = Deadline.in(LONG);
    occupied.add(deadline);
    Thread.startVirtualThread(() -> pool.digest(ENDLESS, new byte[] {'h'}, LONG, deadline));
    return deadline;
  }

  /** A5: a new password does not, the network's own count stays, and nobody else is let in. */
  @Test
  void a5_adminUnlocksWhoGuessedTooOften() {
    guessInVain("ann", "203.0.113.12");
    guessInVain("disabled", "203.0.113.12");
    assertThat(login("ann", RIGHT, "203.0.113.12").statusCode()).isEqualTo(429);
    assertThat(Api.as("ann", RIGHT).post(Api.user("ann") + "/unlock").statusCode()).isEqualTo(403);

    assertThat(Api.admin().post(Api.user("ann") + "/unlock").statusCode()).isEqualTo(204);

    assertThat(login("ann", RIGHT, "203.0.113.12").statusCode()).isEqualTo(200);
    assertThat(login("disabled", RIGHT, "203.0.113.12").statusCode()).isEqualTo(429);
    assertThat(Api.admin().post(Api.user("nobody") + "/unlock").statusCode()).isEqualTo(404);
  }

  @Test
  void addressMadeUpByTheClient_isNotBelieved() {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(login("ann", "wrong", "192.0.2." + i + ", 203.0.113.9").statusCode())
          .isEqualTo(401);
    }
    assertThat(login("ann", RIGHT, "192.0.2.99, 203.0.113.9").statusCode()).isEqualTo(429);
  }

  @Test
  void addressesOfOneIpv6Network_areOneClient() {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(login("ann", "wrong", "2001:db8:1:2:" + i + "::1").statusCode()).isEqualTo(401);
    }
    assertThat(login("ann", RIGHT, "2001:db8:1:2:ffff::1").statusCode()).isEqualTo(429);
    assertThat(login("ann", RIGHT, "2001:db8:1:3::1").statusCode()).isEqualTo(200);
  }

  private void guessInVain(String login, String from) {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(login(login, "wrong", from).statusCode()).isEqualTo(401);
    }
  }

  private interface Request {
    Response number(int i);
  }

  private static List<Integer> parallel(int many, Request request) throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        int number = i;
        answers.add(clients.submit(() -> request.number(number).statusCode()));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> answer : answers) {
        statuses.add(answer.get());
      }
      return statuses;
    }
  }

  private static Response login(String login, String password, String forwardedFor) {
    return given()
        .contentType("application/json")
        .header("X-Forwarded-For", forwardedFor)
        .body(Map.of("login", login, "password", password))
        .post("/login");
  }

  private double counted(String limit) {
    return outcome("throttled_by_" + limit);
  }

  private double outcome(String outcome) {
    return meters.get("spillway.login").tag("outcome", outcome).counter().count();
  }

  private void user(String login, boolean disabled) {
    users.create(new NewUser(new LoginName(login), TestHash.of(RIGHT), true, disabled, Set.of()));
  }
}
