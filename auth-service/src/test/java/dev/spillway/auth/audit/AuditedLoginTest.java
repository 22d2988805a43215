package dev.spillway.auth.audit;

import static dev.spillway.auth.Api.admin;
import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.pool.HashPool;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every attempt is in the audit log, with what became of it, where the pool hashes. */
@QuarkusTest
@TestProfile(AuditedLoginTest.Audited.class)
class AuditedLoginTest {
  private static final String LOOPBACK = "127.0.0.1/32";
  private static final String A_HASH = TestHash.of("right");

  @Inject HashPool pool;
  @Inject UserDirectory users;
  @Inject Database database;

  /** With sessions, and a line for each entry. */
  public static final class Audited extends LocalOnly implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("quarkus.log.category.\"spillway.audit\".level", "INFO");
      config.put("spillway.sessions.enabled", "true");
      return config;
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void attempts_areListedWithTheirOutcome() {
    user("ann", false);
    assertThat(login("Ann", "right").statusCode()).isEqualTo(200);
    assertThat(login("ann", "wrong").statusCode()).isEqualTo(401);
    assertThat(login("ann", "long".repeat(20)).statusCode()).isEqualTo(401);
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(503);
    }
    JsonPath seen = entries("ann", 4);
    assertThat(seen.getList("entries.outcome"))
        .containsExactly("granted", "wrong_password", "impossible_password", "shed");
    assertThat(seen.getList("entries.path")).containsExactly("pool", "pool", "none", "none");
    assertThat(seen.getList("entries.network")).containsOnly(LOOPBACK);
    assertThat(seen.getList("entries.action")).containsOnly("login");
    assertThat(seen.getString("entries[0].login")).isEqualTo("ann");
  }

  /** The password was right, and nobody was let in. */
  @Test
  void loginWhoseSessionCannotBegin_isNotGranted() {
    user("sue", false);
    sql("ALTER TABLE sessions RENAME TO sessions_elsewhere");
    try {
      assertThat(login("sue", "right").statusCode()).isEqualTo(500);
    } finally {
      sql("ALTER TABLE sessions_elsewhere RENAME TO sessions");
    }
    assertThat(login("sue", "right").statusCode()).isEqualTo(200);
    assertThat(entries("sue", 2).getList("entries.outcome")).containsExactly("failed", "granted");
  }

  /** PostgreSQL has neither in its texts and times. */
  @Test
  void nameWithNul_andATimeFarAway_findNothing() {
    for (String query : new String[] {"login=a%00", "since=%2B1000000000-12-31T23:59:59Z"}) {
      var answer = admin().urlEncodingEnabled(false).get("/audit?" + query);
      assertThat(answer.statusCode()).as(query).isEqualTo(200);
      assertThat(answer.jsonPath().getList("entries")).as(query).isEmpty();
    }
  }

  @Test
  void disabledAndUnknown_areToldFromOneAnotherHereOnly() {
    user("dora", true);
    assertThat(login("dora", "right").asString()).isEqualTo(login("dodo", "right").asString());
    assertThat(entries("dora", 1).getList("entries.outcome")).containsExactly("disabled");
    JsonPath unknown = entries("dodo", 1);
    assertThat(unknown.getList("entries.outcome")).containsExactly("no_such_user");
    assertThat(unknown.getMap("entries[0]")).doesNotContainKey("login").containsKey("login_hmac");
  }

  @Test
  void whatAnAdminDoes_bearsTheAdminsName() {
    var admin = admin();
    admin
        .contentType("application/json")
        .body(Map.of("login", "eve", "password", "first password"))
        .post("/users")
        .then()
        .statusCode(201);
    String eve = Api.user("eve");
    admin.body(Map.of("password", "next password")).put(eve + "/password").then().statusCode(204);
    admin.body(Map.of("disabled", true)).put(eve + "/disabled").then().statusCode(204);
    admin.body("").delete(eve + "/sessions").then().statusCode(204);
    JsonPath seen = entries("eve", 4);
    assertThat(seen.getList("entries.action"))
        .containsExactly("create_user", "set_password", "set_disabled", "end_sessions");
    assertThat(seen.getList("entries.outcome")).containsExactly("done", "done", "disabled", "done");
    assertThat(seen.getList("entries.by")).containsOnly(LocalOnly.ADMIN);
  }

  @Test
  void importedUsers_areEachAnEntry_andThoseRefusedAreNot() {
    String lines =
        IntStream.range(0, 600)
            .mapToObj(i -> "{\"login\":\"Moved%d\",\"hash\":\"%s\"}\n".formatted(i % 599, A_HASH))
            .collect(Collectors.joining());
    admin()
        .contentType("application/x-ndjson")
        .body(lines.getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200)
        .body("imported", equalTo(599));
    List<Map<String, Object>> imported =
        admin()
            .get("/audit?limit=1000")
            .jsonPath()
            .getList("entries.findAll { it.action == 'import_user' }");
    assertThat(imported).as("written before the answer").hasSize(599);
    assertThat(imported)
        .allSatisfy(
            entry -> {
              assertThat(entry).containsEntry("by", LocalOnly.ADMIN);
              assertThat(entry).containsEntry("network", LOOPBACK);
              assertThat(entry).containsEntry("outcome", "done");
            });
    assertThat(imported.stream().map(entry -> entry.get("login"))).contains("moved0", "moved598");
  }

  /** The spending switch and a rotation: nobody's account, and the admin's name. */
  @Test
  void whatConcernsNoAccount_bearsTheAdminsNameToo() {
    var admin = admin();
    for (boolean open : new boolean[] {false, true}) {
      admin
          .contentType("application/json")
          .body(Map.of("open", open))
          .put("/spend")
          .then()
          .statusCode(200);
    }
    admin.body("").post("/keys/rotation").then().statusCode(202);
    admin.body("").post("/keys/rotation").then().statusCode(409);
    await()
        .untilAsserted(
            () -> {
              JsonPath log = admin.get("/audit?limit=1000").jsonPath();
              String mine =
                  "entries.findAll { it.action == 'set_spending' || it.action == 'rotate_keys' }";
              assertThat(log.getList(mine + ".outcome"))
                  .as("what was refused was not done")
                  .containsExactly("stopped", "opened", "begun");
              assertThat(log.getList(mine + ".by")).hasSize(3).containsOnly(LocalOnly.ADMIN);
              assertThat(log.getMap(mine + "[0]")).doesNotContainKeys("login", "login_hmac");
            });
  }

  @Test
  void sessions_areFollowedToTheirEnd() {
    user("fay", false);
    String first = login("fay", "right").path("refresh_token");
    String second = session("refresh", first).path("refresh_token");
    session("logout", second);
    session("refresh", second);
    JsonPath seen = entries("fay", 3);
    assertThat(seen.getList("entries.action")).containsExactly("login", "refresh", "logout");
    assertThat(seen.getList("entries.outcome")).containsExactly("granted", "refreshed", "ended");
    await()
        .untilAsserted(
            () ->
                assertThat(
                        admin()
                            .get("/audit?limit=1000")
                            .jsonPath()
                            .getList("entries.findAll { it.action == 'refresh' }.outcome"))
                    .contains("unknown"));
  }

  @Test
  void entries_areLinesOfJsonInTheLog() {
    user("gil", false);
    List<String> lines;
    try (CapturedLog log = CapturedLog.from(Level.INFO)) {
      login("gil", "secret-7c1");
      await().until(() -> log.lines().stream().anyMatch(line -> line.contains("\"gil\"")));
      lines = log.lines();
    }
    String line = lines.stream().filter(each -> each.contains("\"gil\"")).findFirst().orElseThrow();
    assertThat(line).startsWith("INFO [spillway.audit] {").doesNotContain("secret-7c1");
    JsonPath json = JsonPath.from(line.substring(line.indexOf('{')));
    assertThat(json.getString("outcome")).isEqualTo("wrong_password");
    assertThat(json.getString("time")).endsWith("Z");
  }

  @Test
  void log_isForAdminsOnly() {
    user("hal", false);
    assertThat(given().get("/audit").statusCode()).isEqualTo(401);
    assertThat(Api.as("hal", "right").get("/audit").statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "since=yesterday",
        "until=tomorrow",
        "outcome=a b",
        "network=x",
        "cursor=x",
        "limit=0",
        "limit=1001",
        "limit=many"
      })
  void unacceptableParameters_areProblems(String query) {
    admin()
        .get("/audit?" + query)
        .then()
        .statusCode(400)
        .contentType(Problem.MEDIA_TYPE)
        .body("status", equalTo(400));
  }

  @Test
  void since_leavesOutWhatIsOlder() {
    user("ida", false);
    login("ida", "right");
    String time = entries("ida", 1).getString("entries[0].time");
    assertThat(
            admin().queryParam("since", time).get("/audit?login=ida").jsonPath().getList("entries"))
        .hasSize(1);
    assertThat(
            admin()
                .queryParam("since", "9999-12-31T00:00:00Z")
                .get("/audit?login=ida")
                .jsonPath()
                .getList("entries"))
        .isEmpty();
  }

  private static JsonPath entries(String login, int count) {
    var admin = admin();
    await()
        .until(
            () -> admin.get("/audit?login=" + login).jsonPath().getList("entries").size() == count);
    return admin.get("/audit?login=" + login).jsonPath();
  }

  private static io.restassured.response.Response session(String path, String secret) {
    return given()
        .contentType("application/json")
        .body(Map.of("refresh_token", secret))
        .post("/" + path);
  }

  private void user(String login, boolean disabled) {
    users.create(
        new NewUser(new LoginName(login), TestHash.of("right"), false, disabled, Set.of()));
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
