package dev.spillway.auth.sessions;

import static dev.spillway.auth.Api.admin;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions over HTTP, from a login to whatever ends them. */
@QuarkusTest
@TestProfile(SessionsApiTest.WithSessions.class)
class SessionsApiTest {
  public static class WithSessions extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.sessions.enabled", "true");
      return config;
    }
  }

  private static final String PASSWORD = "correct horse";

  @Inject UserDirectory users;
  @Inject Sessions sessions;
  @Inject SessionUpkeep upkeep;
  @Inject Database database;
  @Inject MeterRegistry meters;
  @Inject HashPool pool;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(
        new NewUser(new LoginName("ann"), TestHash.of(PASSWORD), true, false, Set.of("ops")));
    users
        .find(new LoginName("ann"))
        .ifPresent(ann -> users.setDisabled(WhichUser.of(ann.id()), false, AddedRows.nothing()));
  }

  @Test
  void login_beginsASessionThatIsRefreshedWithoutAHash() {
    Response login = Api.login("ann", PASSWORD);
    assertThat(login.jsonPath().getMap("$"))
        .containsOnlyKeys("access_token", "token_type", "expires_in", "refresh_token");
    HashCount hashes = new HashCount(meters);
    Set<String> seen = new HashSet<>(Set.of((String) login.path("refresh_token")));
    Response answer = login;
    try (HeldPool held = HeldPool.hold(pool)) {
      for (int i = 0; i < 3; i++) {
        answer = refresh(answer.path("refresh_token"));
        answer
            .then()
            .statusCode(200)
            .header("Cache-Control", "no-store")
            .body("token_type", equalTo("Bearer"))
            .body("expires_in", equalTo(900));
        assertThat(seen.add(answer.path("refresh_token"))).isTrue();
      }
    }
    assertThat(hashes.asked()).isZero();
    assertThat(me(answer).path("login").toString()).isEqualTo("ann");
  }

  @Test
  void token_saysWhatTheDirectorySaysNow() {
    users.create(new NewUser(new LoginName("bea"), TestHash.of(PASSWORD), true, false, Set.of()));
    Response login = Api.login("bea", PASSWORD);
    sql("UPDATE users SET group_names = 'dev ops' WHERE login = 'bea'");
    assertThat(me(refresh(login.path("refresh_token"))).<List<String>>path("groups"))
        .containsExactly("dev", "ops");
  }

  @Test
  void refreshAtOnce_isToleratedAndYieldsOneSuccessor() throws Exception {
    String first = Api.login("ann", PASSWORD).path("refresh_token");
    List<String> next = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = IntStream.range(0, 8).mapToObj(i -> threads.submit(() -> refresh(first))).toList();
      for (var one : all) {
        assertThat(one.get().statusCode()).isEqualTo(200);
        next.add(one.get().path("refresh_token"));
      }
    }
    assertThat(next).containsOnly(next.getFirst());
    assertThat(refresh(next.getFirst()).statusCode()).isEqualTo(200);
  }

  @Test
  void reuse_endsTheSessionAndNoOther() {
    String first = Api.login("ann", PASSWORD).path("refresh_token");
    String other = Api.login("ann", PASSWORD).path("refresh_token");
    String second = refresh(first).path("refresh_token");
    sql("UPDATE spent_secrets SET spent_at = spent_at - INTERVAL '1' MINUTE");
    double reused = refreshes("reused");
    over(refresh(first));
    over(refresh(second));
    assertThat(refreshes("reused")).isEqualTo(reused + 1);
    assertThat(refresh(other).statusCode()).isEqualTo(200);
  }

  @Test
  void logout_endsTheSession() {
    Response login = Api.login("ann", PASSWORD);
    String first = login.path("refresh_token");
    String second = refresh(first).path("refresh_token");
    for (int i = 0; i < 2; i++) {
      assertThat(post("/logout", second).statusCode()).isEqualTo(204);
    }
    over(refresh(second));
    over(refresh(first));
    assertThat(me(login).statusCode()).as("a token lives until it expires").isEqualTo(200);
  }

  @Test
  void disabling_endsSessionsForGood() {
    String secret = Api.login("ann", PASSWORD).path("refresh_token");
    put(Api.user("ann") + "/disabled", Map.of("disabled", true));
    over(refresh(secret));
    String other = begunUnnoticed();
    put(Api.user("ann") + "/disabled", Map.of("disabled", false));
    over(refresh(other));
  }

  @Test
  void newPassword_endsSessions() {
    users.create(new NewUser(new LoginName("cleo"), TestHash.of("old"), true, false, Set.of()));
    String secret = Api.login("cleo", "old").path("refresh_token");
    put(Api.user("cleo") + "/password", Map.of("password", "new password"));
    over(refresh(secret));
    assertThat(refresh(Api.login("cleo", "new password").path("refresh_token")).statusCode())
        .isEqualTo(200);
  }

  /** A hash of the same password, made anew, is no new password. */
  @Test
  void rehash_endsNothing() {
    users.create(new NewUser(new LoginName("dan"), TestHash.of("old"), true, false, Set.of()));
    String secret = Api.login("dan", "old").path("refresh_token");
    UserRecord seen = users.find(new LoginName("dan")).orElseThrow();
    assertThat(users.replacePasswordHash(seen, TestHash.of("2b", 5, "old"))).isTrue();
    assertThat(refresh(secret).statusCode()).isEqualTo(200);
  }

  @Test
  void admin_endsAllSessionsOfAUser() {
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      secrets.add(Api.login("ann", PASSWORD).path("refresh_token"));
    }
    String admins = Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("refresh_token");
    double revoked = refreshes("revoked");
    assertThat(admin().delete(Api.user("Ann") + "/sessions").statusCode()).isEqualTo(204);
    secrets.forEach(secret -> over(refresh(secret)));
    assertThat(refreshes("revoked")).isEqualTo(revoked + 3);
    assertThat(refresh(admins).statusCode()).isEqualTo(200);
    assertThat(Api.login("ann", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(admin().delete(Api.user("nobody") + "/sessions").statusCode()).isEqualTo(404);
  }

  /** The login had looked the user up before the password was changed. */
  @Test
  void sessionOfALoginThatWasOvertaken_isOverBeforeItBegins() {
    over(refresh(begunUnnoticed()));
  }

  private String begunUnnoticed() {
    UserRecord seen = users.find(new LoginName("ann")).orElseThrow();
    users.endEpoch(WhichUser.of(seen.id()), AddedRows.nothing());
    return sessions.begin(seen).refreshToken();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "\u0000",
        "eyJhbGciOiJub25lIn0.e30."
      })
  void madeUpSecret_isNoSession(String text) {
    over(refresh(text));
    assertThat(post("/logout", text).statusCode()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "[]",
        "{\"refresh_token\":null}",
        "{\"refresh_token\":1}",
        "{\"refresh_token\":[\"x\"]}",
        "{\"refreshToken\":\"x\"}",
        "{\"refresh_token\":\"x\",\"login\":\"ann\"}",
      })
  void malformedBody_is400(String body) {
    for (String path : new String[] {"/refresh", "/logout"}) {
      given()
          .contentType("application/json")
          .body(body)
          .post(path)
          .then()
          .statusCode(400)
          .contentType(Problem.MEDIA_TYPE);
    }
    given()
        .contentType("application/json")
        .body("{}")
        .post("/refresh")
        .then()
        .body("errors[0].field", equalTo("refresh_token"));
  }

  @Test
  void expiredSessions_areDeletedByTheThousand() {
    UserRecord ann = users.find(new LoginName("ann")).orElseThrow();
    for (int i = 0; i < SessionUpkeep.BATCH * 2 + 1; i++) {
      sessions.table().insert(RefreshSecret.random(), ann);
    }
    double deleted = meters.get("spillway.sessions.deleted").counter().count();
    sql("UPDATE sessions SET expires_at = expires_at - INTERVAL '2' DAY");
    String alive = Api.login("ann", PASSWORD).path("refresh_token");

    upkeep.deleteExpired();

    assertThat(meters.get("spillway.sessions.deleted").counter().count() - deleted)
        .isGreaterThan(SessionUpkeep.BATCH * 2);
    assertThat(sessions.table().deleteExpired(1)).isZero();
    assertThat(refresh(alive).statusCode()).isEqualTo(200);
  }

  /** Else nobody would notice before the disk is full. */
  @Test
  void upkeepThatFails_isCountedAndSaid() {
    var failures = meters.get("spillway.upkeep.failures").tag("task", "sessions").counter();
    double before = failures.count();
    sql("ALTER TABLE sessions RENAME TO sessions_elsewhere");
    try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
      upkeep.deleteExpired();
      upkeep.deleteExpired();
      assertThat(log.lines()).singleElement().asString().contains("Upkeep of the sessions failed");
    } finally {
      sql("ALTER TABLE sessions_elsewhere RENAME TO sessions");
    }
    upkeep.deleteExpired();
    assertThat(failures.count() - before).isEqualTo(2);
  }

  @Test
  void secrets_areInNoLog() {
    List<String> shown = new ArrayList<>();
    List<String> lines;
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      shown.add(Api.login("ann", PASSWORD).path("refresh_token"));
      shown.add(refresh(shown.getLast()).path("refresh_token"));
      sql("UPDATE spent_secrets SET spent_at = spent_at - INTERVAL '1' MINUTE");
      over(refresh(shown.getFirst()));
      post("/logout", shown.getLast());
      given()
          .contentType("application/json")
          .body("{\"refresh_token\":[\"" + shown.getLast() + "\"]}")
          .post("/refresh");
      // What the test's own client logs of what it sends is not ours.
      lines = log.lines().stream().filter(line -> !line.contains("[org.apache.http.")).toList();
    }
    assertThat(lines).anyMatch(line -> line.contains("used a second time"));
    for (String secret : shown) {
      assertThat(lines.stream().filter(line -> line.contains(secret.substring(22)))).isEmpty();
    }
  }

  @Test
  void openApi_namesTheFieldsAsTheyAre() {
    given()
        .accept("application/json")
        .get("/q/openapi")
        .then()
        .body("components.schemas.ShownSecret.required", equalTo(List.of("refresh_token")))
        .body("components.schemas.Secret.type", equalTo("string"))
        .body(
            "components.schemas.Granted.properties.keySet()",
            equalTo(Set.of("access_token", "token_type", "expires_in", "refresh_token")));
  }

  private static void over(Response answer) {
    answer
        .then()
        .statusCode(401)
        .contentType(Problem.MEDIA_TYPE)
        .header("WWW-Authenticate", "Bearer")
        .header("Cache-Control", "no-store")
        .body("type", equalTo("urn:spillway:session-over"))
        .body("detail", equalTo("The session is over. Log in again."));
  }

  private static Response refresh(String secret) {
    return post("/refresh", secret);
  }

  private static Response post(String path, String secret) {
    return given().contentType("application/json").body(Map.of("refresh_token", secret)).post(path);
  }

  private static void put(String path, Map<String, ?> body) {
    admin().contentType("application/json").body(body).put(path).then().statusCode(204);
  }

  private static Response me(Response granted) {
    return given().header("Authorization", "Bearer " + granted.path("access_token")).get("/me");
  }

  private double refreshes(String outcome) {
    return meters.get("spillway.sessions.refresh").tag("outcome", outcome).counter().count();
  }

  private void sql(String text) {
    database.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(text);
          }
        });
  }
}
