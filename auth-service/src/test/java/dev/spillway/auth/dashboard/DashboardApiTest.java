package dev.spillway.auth.dashboard;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.pool.HashPool;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard as it is by default: for admins. */
@QuarkusTest
@TestProfile(LocalOnly.class)
@Timeout(60)
class DashboardApiTest {
  private static final String EVENTS = "/q/dashboard/events";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Inject UserDirectory users;
  @Inject HashPool pool;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(new NewUser(new LoginName("dora"), TestHash.of("right"), true, false, Set.of()));
  }

  @AfterEach
  void close() {
    client.shutdownNow();
  }

  @Test
  void withoutAToken_401_withAUsers_403_asProblems() {
    Response nobody = given().get(EVENTS);
    assertThat(nobody.statusCode()).isEqualTo(401);
    assertThat(nobody.contentType()).startsWith("application/problem+json");

    Response user = given().header("Authorization", "Bearer " + token("dora", "right")).get(EVENTS);
    assertThat(user.statusCode()).isEqualTo(403);

    assertThat(given().header("Authorization", "Bearer nonsense").get(EVENTS).statusCode())
        .isEqualTo(401);
  }

  @Test
  void anAdmin_seesWhatHappens() throws Exception {
    HttpResponse<Stream<String>> answer = look(adminToken());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
    var events = answer.body().filter(line -> line.startsWith("data:")).iterator();

    JsonNode before = event(events.next());
    assertThat(before.at("/pool/permits").asInt()).isEqualTo(pool.size());
    assertThat(before.at("/pool/cpu").asDouble()).isBetween(0.0, 1.0);
    assertThat(before.at("/pool/cpuShort").asText()).isIn("", "quota", "others", "service");
    assertThat(before.at("/pool/cost").asInt()).isEqualTo(LocalOnly.COST);
    assertThat(before.at("/up").asDouble()).isPositive();
    assertThat(login("dora", "right").statusCode()).isEqualTo(200);
    assertThat(login("dora", "wrong").statusCode()).isEqualTo(401);

    // The meter of requests is told after the client; and a sample may fall between the two logins.
    JsonNode after;
    do {
      after = event(events.next());
    } while (grown(before, after, "/logins/denied") < 1 || answered(after) - answered(before) < 2);
    after = event(events.next()); // that one may have been taken in the middle of a login
    assertThat(grown(before, after, "/logins/granted")).isEqualTo(1);
    assertThat(grown(before, after, "/logins/denied")).isEqualTo(1);
    assertThat(grown(before, after, "/hashes/local")).isEqualTo(2);
    assertThat(grown(before, after, "/pool/admitted")).isGreaterThanOrEqualTo(2);
    JsonNode buckets = after.at("/latency");
    assertThat(buckets.get(buckets.size() - 1).at("/within").isNull()).isTrue();
    assertThat(buckets.get(buckets.size() - 1).at("/count").asInt()).isGreaterThanOrEqualTo(2);
    assertThat(after.at("/spend/share/hour").isNumber()).isTrue();

    try (HeldPool held = HeldPool.hold(pool)) {
      long now = System.currentTimeMillis();
      JsonNode since;
      do {
        since = event(events.next());
      } while (since.at("/at").asLong() <= now);
      assertThat(since.at("/pool/used").asInt()).isEqualTo(pool.size());
    }
  }

  /** Its token is good for a quarter of an hour. */
  @Test
  void adminWhoIsDisabledMeanwhile_seesNoMore() throws Exception {
    users.create(
        new NewUser(new LoginName("guest"), TestHash.of("right"), false, false, Set.of("admin")));
    HttpResponse<Stream<String>> answer = look(token("guest", "right"));
    assertThat(answer.statusCode()).isEqualTo(200);
    var lines = answer.body().iterator();
    assertThat(lines.next()).startsWith("data:");
    long guest = users.find(new LoginName("guest")).orElseThrow().id();
    users.setDisabled(WhichUser.of(guest), true, AddedRows.nothing());
    long start = System.nanoTime();

    lines.forEachRemaining(line -> {}); // until it ends

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void beyondThePlaces_503_untilOneHasLeft() throws Exception {
    String token = adminToken();
    List<HttpResponse<Stream<String>>> viewers = new ArrayList<>();
    await()
        .until(
            () -> {
              HttpResponse<Stream<String>> one = look(token);
              if (one.statusCode() == 200) {
                viewers.add(one);
              }
              return viewers.size() == Samples.VIEWERS;
            });

    HttpResponse<Stream<String>> more = look(token);
    assertThat(more.statusCode()).isEqualTo(503);
    assertThat(more.headers().firstValue("Retry-After")).isPresent();

    client.shutdownNow();
    HttpClient next = HttpClient.newHttpClient();
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  next.send(request(token), HttpResponse.BodyHandlers.ofLines()).statusCode()
                      == 200);
    } finally {
      next.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/dashboard.css", "/dashboard.js", "/sign-in.js", "/icon.svg"})
  void thePage_isEverybodys_andLoadsNothingFromElsewhere(String file) {
    Response answer = given().get("/q/dashboard" + file);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.header("Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self';")
        .doesNotContain("unsafe");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.asString()).doesNotContain("https://").doesNotContain("<script>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/q/dashboard/login.html", "/q/dashboard/x", "/login-example"})
  void whatIsNotThere_404(String path) {
    Response answer = given().get(path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.contentType()).startsWith("application/problem+json");
  }

  private static JsonNode event(String line) throws Exception {
    return JSON.readTree(line.substring("data:".length()));
  }

  private static long grown(JsonNode before, JsonNode after, String path) {
    return after.at(path).asLong() - before.at(path).asLong();
  }

  /** Logins answered within any time. */
  private static long answered(JsonNode sample) {
    JsonNode buckets = sample.at("/latency");
    return buckets.get(buckets.size() - 1).at("/count").asLong();
  }

  private HttpResponse<Stream<String>> look(String token) throws Exception {
    return client.send(request(token), HttpResponse.BodyHandlers.ofLines());
  }

  private static HttpRequest request(String token) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + EVENTS))
        .header("Authorization", "Bearer " + token)
        .build();
  }

  private static String adminToken() {
    return token(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD);
  }

  private static String token(String login, String password) {
    return login(login, password).path("access_token");
  }
}
