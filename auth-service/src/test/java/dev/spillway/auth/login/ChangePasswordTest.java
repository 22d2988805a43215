package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.spillway.auth.Api;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users set their own passwords. Each test comes from a network of its own. */
@QuarkusTest
@TestProfile(ChangePasswordTest.WithSessions.class)
@Timeout(60)
class ChangePasswordTest {
  private static final String OLD = "correct horse";
  private static final String NEW = "battery staple";
  private static final int LIMIT = 5;

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;
  @Inject HashPool pool;

  public static class WithSessions implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(new LocalOnly().getConfigOverrides());
      config.put("spillway.sessions.enabled", "true");
      config.put("spillway.throttle.exempt", "127.0.0.2");
      config.put("spillway.network.trusted-proxies", "127.0.0.1,::1");
      return config;
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void change_endsTheOtherSessionsAndBeginsANewOne() {
    user("ann");
    Response before = Api.login("ann", OLD);
    Response changed = change(before, "198.51.100.1", OLD, NEW);
    changed.then().statusCode(200).body("token_type", equalTo("Bearer"));
    assertThat(refresh(before).statusCode()).isEqualTo(401);
    assertThat(refresh(changed).statusCode()).isEqualTo(200);
    assertThat(Api.login("ann", NEW).statusCode()).isEqualTo(200);
    assertThat(Api.login("ann", OLD).statusCode()).isEqualTo(401);
  }

  @Test
  void wrongOldPassword_countsAsAtALogin() {
    user("bob");
    Response token = Api.login("bob", OLD);
    for (int i = 0; i < LIMIT; i++) {
      change(token, "198.51.100.2", "wrong" + i, NEW)
          .then()
          .statusCode(403)
          .contentType(Problem.MEDIA_TYPE)
          .body("type", equalTo("urn:spillway:wrong-password"));
    }
    HashCount hashes = new HashCount(meters);
    change(token, "198.51.100.2", OLD, NEW)
        .then()
        .statusCode(429)
        .header("Retry-After", notNullValue());
    assertThat(hashes.asked()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "1234567, must have at least 8 characters",
    "ééééé, must have at least 8 characters",
    "Cyrus-the-Great, must not be the login",
    "'', must not be empty",
    "123456789-123456789-123456789-123456789-123456789-123456789-123456789-123, must be at most 72"
        + " bytes in UTF-8",
  })
  void passwordThatCannotBeSet_costsNoHash(String chosen, String message) {
    user("cyrus-the-great");
    Response token = Api.login("cyrus-the-great", OLD);
    HashCount hashes = new HashCount(meters);
    change(token, "198.51.100.3", "wrong", chosen)
        .then()
        .statusCode(400)
        .body("errors[0].field", equalTo("new_password"))
        .body("errors[0].message", equalTo(message));
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void withoutAToken_nothingIsHashed() {
    HashCount hashes = new HashCount(meters);
    given()
        .contentType("application/json")
        .body(Map.of("old_password", OLD, "new_password", NEW))
        .post("/me/password")
        .then()
        .statusCode(401);
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void overload_changesNothingAndCountsForNothing() {
    user("dan");
    Response token = Api.login("dan", OLD);
    try (HeldPool held = HeldPool.hold(pool)) {
      for (int i = 0; i <= LIMIT; i++) {
        change(token, "198.51.100.4", "wrong", NEW)
            .then()
            .statusCode(503)
            .header("Retry-After", notNullValue());
      }
    }
    assertThat(change(token, "198.51.100.4", OLD, NEW).statusCode()).isEqualTo(200);
  }

  @Test
  void accountDisabledSince_isNoAccountToChange() {
    user("eve");
    Response token = Api.login("eve", OLD);
    long id = users.find(new LoginName("eve")).orElseThrow().id();
    users.setDisabled(WhichUser.of(id), true, AddedRows.nothing());
    assertThat(change(token, "198.51.100.5", OLD, NEW).statusCode()).isEqualTo(403);
  }

  private void user(String login) {
    users.create(new NewUser(new LoginName(login), TestHash.of(OLD), false, false, Set.of()));
  }

  private static Response change(Response login, String from, String old, String chosen) {
    return given()
        .header("Authorization", "Bearer " + login.path("access_token"))
        .header("X-Forwarded-For", from)
        .contentType("application/json")
        .body(Map.of("old_password", old, "new_password", chosen))
        .post("/me/password");
  }

  private static Response refresh(Response granted) {
    return given()
        .contentType("application/json")
        .body(Map.of("refresh_token", granted.path("refresh_token")))
        .post("/refresh");
  }
}
