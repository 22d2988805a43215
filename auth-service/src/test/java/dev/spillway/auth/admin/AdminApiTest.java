package dev.spillway.auth.admin;

import static dev.spillway.auth.Api.admin;
import static dev.spillway.auth.Api.bare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.spillway.auth.Api;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an admin does with users, one at a time. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class AdminApiTest {
  private static final String PASSWORD = "correct horse";

  @Inject UserDirectory users;
  @Inject HashPool pool;
  @Inject MeterRegistry meters;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void createdUser_canLogIn() {
    create("Carol", PASSWORD, List.of("ops"))
        .then()
        .statusCode(201)
        .header("Location", matchesPattern(".*/users/[0-9]+"))
        .body(equalTo(""));
    assertThat(Api.login("carol", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(find("carol").passwordHash()).startsWith("$2b$04$");
    assertThat(find("carol").legacy()).isFalse();
  }

  @Test
  void takenLogin_is409AndChangesNothing() {
    create("dave", PASSWORD, List.of()).then().statusCode(201);
    problem(create("DAVE", "another one", List.of("admin")), 409);
    assertThat(Api.login("dave", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(find("dave").groups()).isEmpty();
  }

  @Test
  void unacceptablePassword_is400WithoutAHash() {
    Map<String, String> rules =
        Map.of(
            "",
            "must not be empty",
            "a".repeat(73),
            "must be at most 72 bytes in UTF-8",
            "\u00e9".repeat(37),
            "must be at most 72 bytes in UTF-8",
            "a\u0000b",
            "must not contain a NUL character");
    create("erin0", PASSWORD, List.of());
    String token = token();
    rules.forEach(
        (password, rule) -> {
          HashCount hashes = new HashCount(meters);
          problem(create(token, "erin", password, List.of()), 400)
              .body("errors[0].field", equalTo("password"))
              .body("errors[0].message", equalTo(rule));
          problem(setPassword(token, "erin0", password), 400)
              .body("errors[0].message", equalTo(rule));
          assertThat(hashes.asked()).isZero();
        });
    assertThat(users.find(new LoginName("erin"))).isEmpty();
    assertThat(create("erin", "a".repeat(72), List.of()).statusCode()).isEqualTo(201);
  }

  @Test
  void unacceptableLoginOrGroups_is400WithoutAHash() {
    String token = token();
    HashCount hashes = new HashCount(meters);
    for (String login : new String[] {"", "a\u0000", "a\nb", "a".repeat(255)}) {
      problem(create(token, login, PASSWORD, List.of()), 400)
          .body("errors[0].field", equalTo("login"));
    }
    for (List<String> groups :
        List.of(
            List.of(""),
            List.of("a b"),
            List.of("\u00e9"),
            List.of("a".repeat(65)),
            IntStream.range(0, 33).mapToObj(Integer::toString).toList())) {
      problem(create(token, "frank", PASSWORD, groups), 400)
          .body("errors[0].field", equalTo("groups"));
    }
    assertThat(hashes.asked()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "[]",
        "{\"login\":\"x\"}",
        "{\"login\":\"x\",\"password\":null}",
        "{\"login\":\"x\",\"password\":1}",
        "{\"login\":\"x\",\"password\":\"y\",\"groups\":\"admin\"}",
        "{\"login\":\"x\",\"password\":\"y\",\"groups\":[1]}",
        "{\"login\":\"x\",\"password\":\"y\",\"hash\":\"z\"}",
        "{\"login\":\"x\",\"password\":\"y\",\"disabled\":true}",
      })
  void malformedCreation_is400(String body) {
    problem(admin().contentType("application/json").body(body).post("/users"), 400);
    assertThat(users.find(new LoginName("x"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /users",
    "GET, /users",
    "GET, /users/1",
    "PATCH, /users/1",
    "DELETE, /users/1",
    "PUT, /users/1/password",
    "PUT, /users/1/disabled",
    "POST, /users/import",
    "DELETE, /users/1/sessions",
    "GET, /keys",
    "POST, /keys/rotation",
  })
  void everything_isForAdminsOnly(String method, String path) {
    create("grace", PASSWORD, List.of("ops", "Admin", "administrator"));
    String type = path.endsWith("import") ? "application/x-ndjson" : "application/json";
    byte[] body =
        "{\"login\":\"x\",\"password\":\"y\",\"disabled\":true,\"groups\":[]}"
            .getBytes(StandardCharsets.UTF_8);
    HashCount hashes = new HashCount(meters);
    problem(bare().contentType(type).body(body).request(method, path), 401)
        .header("WWW-Authenticate", containsString("Bearer"));
    problem(
        bare()
            .header("Authorization", "Bearer x")
            .contentType(type)
            .body(body)
            .request(method, path),
        401);
    assertThat(hashes.asked()).isZero();
    problem(Api.as("grace", PASSWORD).contentType(type).body(body).request(method, path), 403);
    assertThat(Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void newPassword_replacesTheOld() {
    create("heidi", PASSWORD, List.of());
    setPassword(token(), "Heidi", "new password").then().statusCode(204);
    assertThat(Api.login("heidi", "new password").statusCode()).isEqualTo(200);
    assertThat(Api.login("heidi", PASSWORD).statusCode()).isEqualTo(401);
  }

  @Test
  void newPassword_endsLegacyAndItsOldHash() {
    users.create(
        new NewUser(new LoginName("ivan"), TestHash.of("2a", 5, PASSWORD), true, false, Set.of()));
    admin().get(Api.user("ivan")).then().body("legacy", equalTo(true));
    setPassword(token(), "ivan", "new password").then().statusCode(204);
    admin().get(Api.user("ivan")).then().body("legacy", equalTo(false));
    assertThat(find("ivan").passwordHash()).startsWith("$2b$04$");
  }

  @Test
  void unknownUser_is404WithoutAHash() {
    String token = token();
    HashCount hashes = new HashCount(meters);
    problem(setPassword(token, "nobody", PASSWORD), 404);
    for (String id : List.of("a%00b", "01", "+1", "99999999999999999999")) {
      problem(with(token).urlEncodingEnabled(false).get("/users/" + id), 404);
    }
    problem(with(token).body("{\"disabled\":true}").put("/users/0/disabled"), 404);
    problem(with(token).get("/users/nobody"), 404);
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void disabledUser_getsInAgainWhenEnabled() {
    create("judy", PASSWORD, List.of());
    disable("judy", true);
    assertThat(Api.login("judy", PASSWORD).statusCode()).isEqualTo(401);
    admin().get(Api.user("judy")).then().body("disabled", equalTo(true));
    disable("judy", false);
    assertThat(Api.login("judy", PASSWORD).statusCode()).isEqualTo(200);
    problem(with(token()).body("{}").put(Api.user("judy") + "/disabled"), 400);
    problem(with(token()).body("{\"disabled\":\"true\"}").put(Api.user("judy") + "/disabled"), 400);
  }

  @Test
  void shownUser_hasNoHash() {
    create("kim", PASSWORD, List.of("b", "a"));
    ValidatableResponse shown = admin().get(Api.user("KIM")).then().statusCode(200);
    shown
        .body("keySet()", equalTo(Set.of("id", "login", "groups", "disabled", "legacy")))
        .body("login", equalTo("kim"))
        .body("groups", equalTo(List.of("a", "b")))
        .body(not(containsString("$2b$")));
    admin().get("/users?limit=1000").then().statusCode(200).body(not(containsString("$2")));
  }

  @Test
  void list_isPagedById() {
    for (int i = 0; i < 5; i++) {
      create("page" + i, PASSWORD, List.of());
    }
    String token = token();
    // Other tests of this service import users by the thousand.
    String first = new Cursor("users", find("page0").id() - 1).text();
    List<Integer> all = with(token).get("/users?limit=1000&cursor=" + first).path("users.id");
    assertThat(all).isSorted().doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(5);
    List<Integer> paged = new java.util.ArrayList<>();
    String next = first;
    List<Integer> page;
    do {
      Response answer = with(token).get("/users?limit=2&cursor=" + next);
      page = answer.path("users.id");
      paged.addAll(page);
      next = answer.path("next");
    } while (!page.isEmpty());
    assertThat(paged).isEqualTo(all);
    create("page5", PASSWORD, List.of());
    assertThat(with(token).get("/users?cursor=" + next).<List<String>>path("users.login"))
        .as("what comes later")
        .containsExactly("page5");
    String audited = with(token).get("/audit?limit=1").path("next");
    for (String query :
        new String[] {"limit=0", "limit=1001", "cursor=1", "cursor=%2F", "cursor=" + audited}) {
      problem(with(token).get("/users?" + query), 400);
    }
  }

  /** A3: no login is a path. */
  @ParameterizedTest
  @ValueSource(strings = {"import", ".", "..", "a;b", "a/b", "a%2fb", "?", "\u00fc \u4e2d"})
  void anyLogin_canBeAdministered(String login) {
    String place =
        create(login, PASSWORD, List.of()).then().statusCode(201).extract().header("Location");
    String token = token();
    with(token).get(place).then().statusCode(200).body("login", equalTo(login));
    assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(200);
    assertThat(
            with(token)
                .queryParam("login", login)
                .get("/users")
                .jsonPath()
                .getList("users.login", String.class))
        .containsExactly(login);
    with(token).delete(place + "/sessions").then().statusCode(204);
    with(token).body(Map.of("disabled", true)).put(place + "/disabled").then().statusCode(204);
    with(token).delete(place).then().statusCode(204);
    problem(with(token).get(place), 404);
    assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(401);
  }

  /** A6: a change of what its admin has seen, and of nothing else. */
  @Test
  void a6_ifMatch_changesTheStateThatWasSeen() {
    create("tess", PASSWORD, List.of());
    String token = token();
    String tess = Api.user("tess");
    String seen = with(token).get(tess).header("ETag");
    assertThat(with(token).get(tess).header("ETag")).isEqualTo(seen);
    Map<String, ?> groups = Map.of("groups", List.of("ops"));
    with(token).header("If-Match", seen).body(groups).patch(tess).then().statusCode(204);
    String changed = with(token).get(tess).header("ETag");
    assertThat(changed).isNotEqualTo(seen);

    problem(with(token).header("If-Match", seen).body(groups).patch(tess), 412);
    problem(with(token).header("If-Match", seen).delete(tess), 412);
    problem(with(token).header("If-Match", seen).delete(tess + "/sessions"), 412);
    HashCount hashes = new HashCount(meters);
    Map<String, ?> password = Map.of("password", "another password");
    problem(with(token).header("If-Match", seen).body(password).put(tess + "/password"), 412);
    assertThat(hashes.asked()).isZero();
    Map<String, ?> disabled = Map.of("disabled", true);
    problem(
        with(token).header("If-Match", "W/" + changed).body(disabled).put(tess + "/disabled"), 412);
    assertThat(with(token).get(tess).header("ETag")).isEqualTo(changed);

    String either = "\"x\", " + changed;
    with(token)
        .header("If-Match", either)
        .body(disabled)
        .put(tess + "/disabled")
        .then()
        .statusCode(204);
    with(token).header("If-Match", "*").delete(tess).then().statusCode(204);
    problem(with(token).header("If-Match", "*").delete(tess), 404);
  }

  /** A6. */
  @Test
  void a6_unknownParameter_is400() {
    String token = token();
    for (String path :
        List.of("/users?name=x", "/audit?result=x", "/users?login=a&x", "/spend?x=1")) {
      problem(with(token).get(path), 400)
          .body("type", equalTo("urn:spillway:invalid-request"))
          .body("errors[0].field", equalTo("query"));
    }
    problem(with(token).get("/users?limit=0"), 400).body("errors[0].field", equalTo("limit"));
  }

  @Test
  void saturated_changesNothing() {
    create("leo", PASSWORD, List.of());
    String token = token();
    String leo = Api.user("leo");
    try (HeldPool held = HeldPool.hold(pool)) {
      problem(create(token, "mia", PASSWORD, List.of()), 503)
          .body("type", equalTo("urn:spillway:overloaded"));
      problem(with(token).body(Map.of("password", "another one")).put(leo + "/password"), 503);
      with(token).get(leo).then().statusCode(200);
    }
    assertThat(users.find(new LoginName("mia"))).isEmpty();
    assertThat(Api.login("leo", PASSWORD).statusCode()).isEqualTo(200);
  }

  private static String token() {
    return Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
  }

  private static io.restassured.specification.RequestSpecification with(String token) {
    return bare().header("Authorization", "Bearer " + token).contentType("application/json");
  }

  private static Response create(String login, String password, List<String> groups) {
    return create(token(), login, password, groups);
  }

  private static Response create(String token, String login, String password, List<String> groups) {
    Map<String, Object> body = new HashMap<>();
    body.put("login", login);
    body.put("password", password);
    body.put("groups", groups);
    return with(token).body(body).post("/users");
  }

  private static Response setPassword(String token, String login, String password) {
    return with(token).body(Map.of("password", password)).put(Api.user(login) + "/password");
  }

  private static void disable(String login, boolean disabled) {
    with(token())
        .body(Map.of("disabled", disabled))
        .put(Api.user(login) + "/disabled")
        .then()
        .statusCode(204);
  }

  private UserRecord find(String login) {
    return users.find(new LoginName(login)).orElseThrow();
  }

  private static ValidatableResponse problem(Response answer, int status) {
    return answer
        .then()
        .statusCode(status)
        .contentType(Problem.MEDIA_TYPE)
        .body("status", equalTo(status));
  }
}
