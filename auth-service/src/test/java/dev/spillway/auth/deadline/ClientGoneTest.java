package dev.spillway.auth.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client that hangs up was waiting for is not done any more. */
@QuarkusTest
@TestProfile(ClientGoneTest.Patient.class)
@Timeout(60)
class ClientGoneTest {
  private static final String PASSWORD = "correct horse";

  /** Of cost 20, a minute of work: nobody here sees one end by itself. */
  private static final String ENDLESS =
      "$2b$20$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";

  /** Well before the deadline, yet long enough for a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final int NETWORK_LIMIT = 10;
  private static final int CANCELLED = 100;

  private static final Duration OFTEN = Duration.ofMillis(5);

  /** With a deadline that does not pass, so that whatever ends early was ended by the client. */
  public static class Patient extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.hashing.deadline", "20s");
      config.put("spillway.hashing.max-cost", "20");
      config.put("spillway.network.trusted-proxies", "127.0.0.1,::1");
      config.put("spillway.throttle.network-limit", String.valueOf(NETWORK_LIMIT));
      return config;
    }
  }

  @Inject HashPool pool;
  @Inject UserDirectory users;
  @Inject MeterRegistry meters;
  @Inject Vertx vertx;

  private CapturedLog log;

  @BeforeEach
  void captureLog() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    user("here", TestHash.of(PASSWORD));
    user("gone-slow", ENDLESS);
    log = CapturedLog.from(Level.WARNING);
  }

  @AfterEach
  void nothingWasLogged() {
    log.close();
    // What other processes do to the machine is no news of clients.
    assertThat(log.lines()).allMatch(line -> line.contains("hash pool is short of CPU"));
  }

  @Test
  void goneInLine_givesThePlaceBackAndGetsNoToken() throws IOException {
    double gone = outcome("gone");
    double granted = outcome("granted");
    try (HeldPool held = HeldPool.hold(pool)) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(new RawClient(RestAssured.port).login("here", PASSWORD));
      }
      await().pollInterval(OFTEN).until(() -> pool.waiting() == 10);

      for (int i = 0; i < clients.size(); i++) {
        if (i % 2 == 0) {
          clients.get(i).close();
        } else {
          clients.get(i).reset();
        }
      }

      await().pollInterval(OFTEN).atMost(SOON).until(() -> pool.waiting() == 0);
      await().until(() -> outcome("gone") - gone == 10);
      assertThat(pool.free()).isZero();
    }
    assertThat(outcome("granted")).isEqualTo(granted);
  }

  @Test
  void goneInMidHash_endsTheHash() throws IOException {
    double gone = outcome("gone");
    long abandoned = abandonedHashes();
    try (RawClient client = new RawClient(RestAssured.port).login("gone-slow", PASSWORD)) {
      await().pollInterval(OFTEN).until(() -> pool.free() == 0);
    }
    await().pollInterval(OFTEN).atMost(SOON).until(() -> pool.free() == pool.size());
    await().until(() -> outcome("gone") - gone == 1);
    assertThat(abandonedHashes() - abandoned).isEqualTo(1);
  }

  /** H1: against its network, and not against the account. */
  @Test
  void h1_goneInMidHash_countsUntilItsNetworkIsStopped() throws IOException {
    double gone = outcome("gone");
    for (int left = 1; left <= NETWORK_LIMIT; left++) {
      await().pollInterval(OFTEN).until(() -> pool.free() == pool.size());
      try (RawClient client = new RawClient(RestAssured.port)) {
        client.send(
            "POST",
            "/login",
            "X-Forwarded-For: 203.0.113.77\r\n",
            "{\"login\":\"gone-slow\",\"password\":\"wrong\"}");
        await().pollInterval(OFTEN).until(() -> pool.free() < pool.size());
      }
      int counted = left;
      await().pollInterval(OFTEN).until(() -> outcome("gone") - gone == counted);
    }
    assertThat(statusFrom("203.0.113.77")).isEqualTo(429);
    assertThat(statusFrom("198.51.100.77")).isEqualTo(200);
  }

  private static int statusFrom(String network) {
    return RestAssured.given()
        .contentType("application/json")
        .header("X-Forwarded-For", network)
        .body(Map.of("login", "here", "password", PASSWORD))
        .post("/login")
        .statusCode();
  }

  /** H4: a stream that the client cancels is a client that left, and nobody's fault. */
  @Test
  void h4_cancelledStreamsOfHttp2_areGone() throws Exception {
    double gone = outcome("gone");
    double served = status("500") + status("400");
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    try (HeldPool held = HeldPool.hold(pool)) {
      for (int i = 0; i < CANCELLED; i++) {
        String body = "{\"login\":\"here\",\"password\":\"%s\"}".formatted(PASSWORD);
        HttpClientRequest request =
            client
                .request(HttpMethod.POST, RestAssured.port, "localhost", "/login")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        request.putHeader("Content-Type", "application/json");
        boolean whole = i % 2 == 0;
        if (whole) {
          request.send(body);
          await().pollInterval(OFTEN).until(() -> pool.waiting() == 1);
        } else {
          request.putHeader("Content-Length", "" + body.length());
          request.write(body.substring(0, 10)).toCompletionStage().toCompletableFuture().get();
        }
        request.reset(8);
        await().pollInterval(OFTEN).until(() -> pool.waiting() == 0);
      }
      await().until(() -> outcome("gone") - gone >= CANCELLED / 2);
    } finally {
      client.close().toCompletionStage().toCompletableFuture().get();
    }
    assertThat(Api.login("here", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(status("500") + status("400")).isEqualTo(served);
  }

  private double status(String status) {
    return meters.find("http.server.requests").tag("status", status).timers().stream()
        .mapToLong(timer -> timer.count())
        .sum();
  }

  @Test
  void goneWhileSettingAPassword_changesNothing() throws IOException {
    String token =
        "Authorization: Bearer "
            + Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token")
            + "\r\n";
    double gone = hashesForNobody();
    try (HeldPool held = HeldPool.hold(pool)) {
      try (RawClient change = new RawClient(RestAssured.port);
          RawClient creation = new RawClient(RestAssured.port)) {
        change.send(
            "PUT", Api.user("here") + "/password", token, "{\"password\":\"new password\"}");
        creation.send(
            "POST", "/users", token, "{\"login\":\"unborn\",\"password\":\"new password\"}");
        await().pollInterval(OFTEN).until(() -> pool.waiting() == 2);
      }
      // An empty line is not enough: on its way to the last resort a request stands in none.
      await().pollInterval(OFTEN).atMost(SOON).until(() -> hashesForNobody() - gone == 2);
      assertThat(pool.waiting()).isZero();
    }
    assertThat(Api.login("here", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(users.find(new LoginName("unborn"))).isEmpty();
  }

  /** A watch ends with its request: the next one on the connection has its own. */
  @Test
  void nextRequestOnTheConnection_isServedAndWatched() throws IOException {
    double gone = outcome("gone");
    try (RawClient client = new RawClient(RestAssured.port)) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.login("here", PASSWORD).answer()).startsWith("HTTP/1.1 200");
        assertThat(client.login("here", "wrong").answer()).startsWith("HTTP/1.1 401");
      }
      try (HeldPool held = HeldPool.hold(pool)) {
        client.login("here", PASSWORD);
        await().pollInterval(OFTEN).until(() -> pool.waiting() == 1);
        client.close();
        await().pollInterval(OFTEN).atMost(SOON).until(() -> outcome("gone") - gone == 1);
        assertThat(pool.waiting()).isZero();
      }
    }
  }

  @Test
  void goneAfterTheAnswer_isNotCountedAsGone() throws IOException {
    double gone = outcome("gone");
    try (RawClient client = new RawClient(RestAssured.port)) {
      assertThat(client.login("here", PASSWORD).answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(Api.login("here", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(outcome("gone")).isEqualTo(gone);
  }

  private double outcome(String outcome) {
    return meters.get("spillway.login").tag("outcome", outcome).counter().count();
  }

  /** Asked for, and given up for a client that left. */
  private double hashesForNobody() {
    return meters.get("spillway.hashing").tag("path", "gone").counter().count();
  }

  private long abandonedHashes() {
    return meters.get("spillway.pool.hash").tag("outcome", "abandoned").timer().count();
  }

  private void user(String login, String hash) {
    users.create(new NewUser(new LoginName(login), hash, true, false, Set.of()));
  }
}
