package dev.spillway.auth.admin;

import static dev.spillway.auth.Api.admin;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import io.micrometer.core.instrument.MeterRegistry;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an admin changes is in the database together with its entry in the audit log, or not at all;
 * one subclass for each database.
 */
abstract class AuditedChangesContract {
  @Inject UserDirectory users;
  @Inject Database database;
  @Inject MeterRegistry meters;

  @BeforeEach
  void awaitReady() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void importWhoseEntriesAreRefused_leavesNoAccount() {
    byte[] lines =
        IntStream.range(0, 3)
            .mapToObj(
                i -> "{\"login\":\"moved%d\",\"hash\":\"%s\"}\n".formatted(i, TestHash.of("right")))
            .collect(Collectors.joining())
            .getBytes(StandardCharsets.UTF_8);
    Supplier<Response> imports =
        () -> admin().contentType("application/x-ndjson").body(lines).post("/users/import");

    assertThat(withoutEntriesOf("import_user", imports).statusCode()).isEqualTo(500);
    for (int i = 0; i < 3; i++) {
      assertThat(users.find(new LoginName("moved" + i))).isEmpty();
    }

    double written = written();
    assertThat(imports.get().jsonPath().getInt("imported")).isEqualTo(3);
    assertThat(users.find(new LoginName("moved2"))).isPresent();
    assertThat(entries("import_user", "done")).containsExactly("moved0", "moved1", "moved2");
    assertThat(written()).isGreaterThanOrEqualTo(written + 3);
    assertThat(imports.get().jsonPath().getInt("imported")).as("they are there").isZero();
    assertThat(entries("import_user", "done")).as("and were not made again").hasSize(3);
  }

  @Test
  void creationWhoseEntryIsRefused_leavesNoAccount() {
    Supplier<Response> creates =
        () ->
            admin()
                .contentType("application/json")
                .body(Map.of("login", "carol", "password", "first password"))
                .post("/users");

    assertThat(withoutEntriesOf("create_user", creates).statusCode()).isEqualTo(500);
    assertThat(users.find(new LoginName("carol"))).isEmpty();

    assertThat(creates.get().statusCode()).isEqualTo(201);
    assertThat(creates.get().statusCode()).isEqualTo(409);
    assertThat(entries("create_user", "done")).containsExactly("carol");
  }

  @Test
  void changeWhoseEntryIsRefused_changesNothing() {
    LoginName dave = new LoginName("dave");
    users.create(new NewUser(dave, TestHash.of("right"), true, false, Set.of()));
    UserRecord before = users.find(dave).orElseThrow();
    Supplier<Response> sets =
        () -> json(Map.of("password", "next password")).put(Api.user("dave") + "/password");
    Supplier<Response> disables =
        () -> json(Map.of("disabled", true)).put(Api.user("dave") + "/disabled");
    Supplier<Response> moves = () -> json(Map.of("groups", List.of("ops"))).patch(Api.user("dave"));
    Supplier<Response> deletes = () -> admin().delete(Api.user("dave"));
    Supplier<Response> ends = () -> admin().delete(Api.user("dave") + "/sessions");
    Supplier<Response> unlocks = () -> admin().post(Api.user("dave") + "/unlock");

    assertThat(withoutEntriesOf("set_password", sets).statusCode()).isEqualTo(500);
    assertThat(withoutEntriesOf("set_disabled", disables).statusCode()).isEqualTo(500);
    assertThat(withoutEntriesOf("end_sessions", ends).statusCode()).isEqualTo(500);
    assertThat(withoutEntriesOf("unlock_user", unlocks).statusCode()).isEqualTo(500);
    assertThat(withoutEntriesOf("set_groups", moves).statusCode()).isEqualTo(500);
    assertThat(withoutEntriesOf("delete_user", deletes).statusCode()).isEqualTo(500);
    assertThat(users.find(dave)).contains(before);

    for (Supplier<Response> change : List.of(sets, disables, ends, unlocks, moves)) {
      assertThat(change.get().statusCode()).isEqualTo(204);
    }
    UserRecord after = users.find(dave).orElseThrow();
    assertThat(after.disabled()).isTrue();
    assertThat(after.epoch()).isEqualTo(before.epoch() + 3);
    assertThat(entries("set_password", "done")).containsExactly("dave");
    assertThat(entries("set_disabled", "disabled")).containsExactly("dave");
    assertThat(entries("end_sessions", "done")).containsExactly("dave");
    assertThat(entries("unlock_user", "done")).containsExactly("dave");
    assertThat(entries("set_groups", "done")).containsExactly("dave");
    assertThat(deletes.get().statusCode()).isEqualTo(204);
    assertThat(users.find(dave)).isEmpty();
    assertThat(entries("delete_user", "done")).containsExactly("dave");
  }

  @Test
  void rotationWhoseEntryIsRefused_doesNotBegin() {
    Supplier<Response> rotates = () -> admin().post("/keys/rotation");

    assertThat(withoutEntriesOf("rotate_keys", rotates).statusCode()).isEqualTo(500);
    assertThat(admin().get("/keys").jsonPath().getList("keys.state")).containsExactly("signing");

    assertThat(rotates.get().statusCode()).isEqualTo(202);
    assertThat(rotates.get().statusCode()).as("what is refused is not done").isEqualTo(409);
    assertThat(entries("rotate_keys", "begun")).hasSize(1);
  }

  @Test
  void switchWhoseEntryIsRefused_isNotThrown() {
    Supplier<Response> stops = () -> json(Map.of("open", false)).put("/spend");

    assertThat(withoutEntriesOf("set_spending", stops).statusCode()).isEqualTo(500);
    assertThat(admin().get("/spend").jsonPath().getBoolean("open")).isTrue();

    assertThat(stops.get().jsonPath().getBoolean("open")).isFalse();
    assertThat(json(Map.of("open", true)).put("/spend").statusCode()).isEqualTo(200);
    assertThat(entries("set_spending", "stopped")).hasSize(1);
    assertThat(entries("set_spending", "opened")).hasSize(1);
  }

  /** Nothing has been changed where there is nobody. */
  @Test
  void changeOfNobody_isNoEntry() {
    assertThat(json(Map.of("disabled", true)).put("/users/0/disabled").statusCode()).isEqualTo(404);
    assertThat(admin().delete("/users/0/sessions").statusCode()).isEqualTo(404);
    assertThat(admin().get("/audit?login=nemo").jsonPath().getList("entries")).isEmpty();
  }

  private static io.restassured.specification.RequestSpecification json(Map<String, ?> body) {
    return admin().contentType("application/json").body(body);
  }

  /** Logins of these entries: there already, since they came with what they tell. */
  private static List<String> entries(String action, String outcome) {
    return admin()
        .get("/audit?limit=1000")
        .jsonPath()
        .getList(
            "entries.findAll { it.action == '%s' && it.outcome == '%s' }.login"
                .formatted(action, outcome));
  }

  private double written() {
    return meters.get("spillway.audit.written").counter().count();
  }

  /** While the database takes no entry of this action. */
  private Response withoutEntriesOf(String action, Supplier<Response> call) {
    sql(
        "ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (action <> '%s' OR id <= %d)"
            .formatted(action, lastEntry()));
    try {
      return call.get();
    } finally {
      sql("ALTER TABLE audit_log DROP CONSTRAINT refused");
    }
  }

  private long lastEntry() {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              var row = statement.executeQuery("SELECT COALESCE(MAX(id), 0) FROM audit_log")) {
            row.next();
            return row.getLong(1);
          }
        });
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
