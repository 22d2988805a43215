package dev.spillway.auth.gate;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
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
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logins at a gate that has no place for them. */
@QuarkusTest
@TestProfile(LoginGateTest.FewPlaces.class)
@Timeout(60)
class LoginGateTest {
  private static final String PASSWORD = "correct horse";

  /** Of cost 20, a minute of work: nobody here sees one end by itself. */
  private static final String ENDLESS =
      "$2b$20$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";

  @Inject Gate gate;
  @Inject HashPool pool;
  @Inject UserDirectory users;
  @Inject MeterRegistry meters;

  /** Expensive hashes, so that few may stand in line, and a deadline that does not pass here. */
  public static class FewPlaces extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.hashing.cost", "10");
      config.put("spillway.hashing.max-cost", "20");
      config.put("spillway.hashing.deadline", "30s");
      config.put("spillway.pool.max-wait", "20s");
      config.put("spillway.hashing.rehash", "false");
      return config;
    }
  }

  @BeforeEach
  void user() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    create("user", TestHash.of(PASSWORD));
    create("endless", ENDLESS);
    await().until(() -> gate.inside() == 0);
  }

  @Test
  void full_isRefusedAtOnce_andCountedAndAudited() throws Exception {
    double refused = meters.get("spillway.gate.refused").tag("reason", "full").counter().count();
    double logins = meters.get("spillway.login").tag("outcome", "shed").counter().count();
    double hashes = meters.get("spillway.hashing").tag("path", "shed").counter().count();
    try (Filled filled = new Filled();
        RawClient client = new RawClient(RestAssured.port)) {
      for (int i = 0; i < 3; i++) {
        assertRefused(client.login("user", PASSWORD).answer());
      }
    }
    assertThat(meters.get("spillway.gate.refused").tag("reason", "full").counter().count())
        .isEqualTo(refused + 3);
    assertThat(meters.get("spillway.login").tag("outcome", "shed").counter().count())
        .isEqualTo(logins + 3);
    assertThat(meters.get("spillway.hashing").tag("path", "shed").counter().count())
        .as("what alarms and scaling look at")
        .isEqualTo(hashes + 3);
    await()
        .untilAsserted(
            () ->
                assertThat(refusalsAudited())
                    .as("one entry a second, of all refusals")
                    .isPositive());
    try (RawClient client = new RawClient(RestAssured.port)) {
      assertThat(client.login("user", PASSWORD).answer()).startsWith("HTTP/1.1 200");
    }
  }

  /** A refusal reads no body: neither one that is there, nor one that never comes. */
  @Test
  void full_isRefusedBeforeTheBody() throws Exception {
    try (Filled filled = new Filled();
        RawClient half = new RawClient(RestAssured.port);
        RawClient garbage = new RawClient(RestAssured.port)) {
      half.sendRaw(
          "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 100\r\n\r\n{");
      assertRefused(half.answer());
      assertRefused(garbage.send("POST", "/login", "", "no JSON").answer());
    }
  }

  /** By whichever path a login comes to its resource, the gate is asked. */
  @Test
  void full_isRefusedByEveryPath() throws Exception {
    try (Filled filled = new Filled();
        RawClient client = new RawClient(RestAssured.port)) {
      for (String path : new String[] {"/login?x=y", "/login/", "/./login", "/%6cogin"}) {
        String answer =
            client
                .send("POST", path, "", "{\"login\":\"user\",\"password\":\"" + PASSWORD + "\"}")
                .answer();
        assertThat(answer.substring(9, 12)).as(path).isIn("503", "400", "404");
      }
    }
  }

  /** G2 of {@link Gate}: every end of a login gives its place back. */
  @Test
  void everyEnd_givesThePlaceBack() throws Exception {
    String login = "{\"login\":\"user\",\"password\":\"" + PASSWORD + "\"}";
    try (RawClient client = new RawClient(RestAssured.port)) {
      assertStatus("200", client.login("user", PASSWORD));
      assertStatus("401", client.login("user", "wrong"));
      assertStatus("401", client.login("user", "a".repeat(73)));
      assertStatus("400", client.send("POST", "/login", "", "no JSON"));
      assertStatus("400", client.login("", PASSWORD));
      assertStatus("413", client.send("POST", "/login", "", " ".repeat(5000)));
    }
    try (RawClient client = new RawClient(RestAssured.port)) {
      assertStatus(
          "415",
          client.sendRaw(
              "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                  + "Content-Length: "
                  + login.length()
                  + "\r\n\r\n"
                  + login));
    }
  }

  /** G2 of {@link Gate}: so do clients that hang up before the body, in line and in mid-hash. */
  @Test
  void clientsThatHangUp_giveTheirPlaceBack() throws Exception {
    try (RawClient client = new RawClient(RestAssured.port)) {
      client.sendRaw(
          "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 100\r\n\r\n{");
      await().until(() -> gate.inside() == 1);
      client.reset();
    }
    await().until(() -> gate.inside() == 0);
    try (HeldPool held = HeldPool.hold(pool);
        RawClient client = new RawClient(RestAssured.port)) {
      client.login("user", PASSWORD);
      await().until(() -> pool.waiting() == 1);
      client.reset();
      await().until(() -> gate.inside() == 0);
    }
    try (RawClient client = new RawClient(RestAssured.port)) {
      client.login("endless", PASSWORD);
      await().until(() -> pool.free() == 0);
      client.reset();
      await().until(() -> gate.inside() == 0);
      await().until(() -> pool.free() == pool.size());
    }
  }

  /** Health and everything else is not a login. */
  @Test
  void full_letsEverythingElsePass() {
    try (Filled filled = new Filled()) {
      given().get("/q/health/live").then().statusCode(200);
      given().get("/q/health/ready").then().statusCode(200);
      given().get("/.well-known/jwks.json").then().statusCode(200);
      given().get("/login").then().statusCode(405);
    }
  }

  private void create(String login, String hash) {
    users.create(new NewUser(LoginName.parse(login).orElseThrow(), hash, true, false, Set.of()));
  }

  private int refusalsAudited() {
    return Api.admin()
        .queryParam("limit", 1000)
        .get("/audit")
        .jsonPath()
        .getList(
            "entries.findAll { it.outcome == 'shed' && it.network == '::/0' }.times", Integer.class)
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  /** Also waits until the place is free again: G6 keeps it for as long as a hash takes. */
  private void assertStatus(String status, RawClient client) throws IOException {
    assertThat(client.answer()).startsWith("HTTP/1.1 " + status);
    await().until(() -> gate.inside() == 0);
  }

  private static void assertRefused(String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 503")
        .containsIgnoringCase("Content-Type: application/problem+json\r\n")
        .containsIgnoringCase("X-Content-Type-Options: nosniff")
        .containsPattern("(?i)Retry-After: [1-5]\r\n")
        .contains("\"type\":\"urn:spillway:overloaded\"");
  }

  /** Every place of the gate, taken until it is closed. */
  private final class Filled implements AutoCloseable {
    private final List<Entry.Place> places = new ArrayList<>();

    Filled() {
      while (gate.enter(() -> "network " + places.size()) instanceof Entry.Place place) {
        places.add(place);
      }
    }

    @Override
    public void close() {
      places.forEach(
          place -> {
            place.hashed();
            place.close();
          });
    }
  }
}
