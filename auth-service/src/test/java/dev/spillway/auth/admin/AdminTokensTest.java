package dev.spillway.auth.admin;

import static dev.spillway.auth.Api.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserDirectory.ChangeResult;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import io.agroal.api.AgroalDataSource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A1 and A2: for how long an admin is one, and that there always is one. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class AdminTokensTest {
  private static final String PASSWORD = "correct horse";
  private static final LoginName EVE = new LoginName("eve-admin");

  @Inject UserDirectory users;
  @Inject @Any InjectableInstance<AgroalDataSource> source;

  private String token;
  private UserRecord eve;

  @BeforeEach
  void loggedInAdmin() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    users.find(EVE).ifPresent(old -> users.delete(WhichUser.of(old.id()), AddedRows.nothing()));
    create();
    token = Api.login(EVE.text(), PASSWORD).path("access_token");
    with(token).get("/spend").then().statusCode(200);
  }

  @Test
  void disabledAdminsToken_doesNothing() {
    admin()
        .contentType(ContentType.JSON)
        .body(Map.of("disabled", true))
        .put(Api.user(EVE.text()) + "/disabled")
        .then()
        .statusCode(204);
    assertOver();
    with(token)
        .body(Map.of("disabled", false))
        .put(Api.user(EVE.text()) + "/disabled")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", containsString("invalid_token"));
    with(token)
        .body(Map.of("login", "accomplice", "password", PASSWORD, "groups", List.of("admin")))
        .post("/users")
        .then()
        .statusCode(401);
    assertThat(users.find(EVE).orElseThrow().disabled()).isTrue();
    assertThat(users.find(new LoginName("accomplice"))).isEmpty();

    users.setDisabled(WhichUser.of(eve.id()), false, AddedRows.nothing());
    assertOver();
  }

  @Test
  void tokenOfBeforeAChange_doesNothing() {
    Map<String, Consumer<UserRecord>> changes =
        Map.of(
            "out of the group",
                user ->
                    users.setGroups(WhichUser.of(user.id()), Set.of("ops"), AddedRows.nothing()),
            "new password",
                user ->
                    users.setPasswordHash(
                        WhichUser.of(user.id()), TestHash.of("2b", 4, "x"), AddedRows.nothing()),
            "sessions ended", user -> users.endEpoch(WhichUser.of(user.id()), AddedRows.nothing()),
            "deleted", user -> users.delete(WhichUser.of(user.id()), AddedRows.nothing()),
            "made again",
                user -> {
                  users.delete(WhichUser.of(user.id()), AddedRows.nothing());
                  create();
                });
    changes.forEach(
        (change, doIt) -> {
          loggedInAdmin();
          doIt.accept(eve);
          assertThat(with(token).get("/users").statusCode()).as(change).isEqualTo(401);
        });
  }

  @Test
  void newToken_isAnAdminsAgain() {
    users.endEpoch(WhichUser.of(eve.id()), AddedRows.nothing());
    assertOver();
    token = Api.login(EVE.text(), PASSWORD).path("access_token");
    assertThat(with(token).get("/users").statusCode()).isEqualTo(200);
  }

  /** What cannot be checked is not believed, and is nobody's fault. */
  @Test
  void adminWhoCannotBeLookedUp_is503() throws SQLException {
    List<Connection> held = new ArrayList<>();
    try {
      while (true) {
        held.add(source.listActive().getFirst().getConnection());
      }
    } catch (SQLException exhausted) {
      with(token)
          .get("/spend")
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("type", equalTo("urn:spillway:database-unavailable"));
    } finally {
      for (Connection connection : held) {
        connection.close();
      }
    }
  }

  @Test
  void lastAdmin_isRefusedToGo() {
    users.delete(WhichUser.of(eve.id()), AddedRows.nothing());
    String root = Api.user(LocalOnly.ADMIN);
    for (UserRecord other : users.list(0, 1000)) {
      if (other.isActiveAdmin() && !other.login().text().equals(LocalOnly.ADMIN)) {
        assertThat(users.delete(WhichUser.of(other.id()), AddedRows.nothing()))
            .isEqualTo(ChangeResult.DONE);
      }
    }
    RequestSpecification admin = admin().contentType(ContentType.JSON);
    for (var refused :
        List.of(
            admin.body(Map.of("disabled", true)).put(root + "/disabled"),
            admin.body(Map.of("groups", List.of("ops"))).patch(root),
            admin.body("").delete(root))) {
      refused.then().statusCode(409).body("type", equalTo("urn:spillway:last-admin"));
    }
    admin()
        .contentType(ContentType.JSON)
        .body(Map.of("groups", List.of("admin", "ops")))
        .patch(root)
        .then()
        .statusCode(204);
    admin().get(root).then().body("groups", equalTo(List.of("admin", "ops")));
  }

  private void assertOver() {
    for (String path : List.of("/users", "/audit", "/keys", "/spend", "/q/dashboard/events")) {
      assertThat(with(token).get(path).statusCode()).as(path).isEqualTo(401);
    }
    assertThat(with(token).post("/keys/rotation").statusCode()).isEqualTo(401);
  }

  private void create() {
    users.create(
        new NewUser(EVE, TestHash.of("2b", 4, PASSWORD), false, false, Set.of("admin", "eve")));
    eve = users.find(EVE).orElseThrow();
  }

  private static RequestSpecification with(String token) {
    return Api.bare().contentType("application/json").header("Authorization", "Bearer " + token);
  }
}
