package dev.spillway.auth.passwords;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A password that stands in a list of breached ones cannot be set, and can be logged in with. */
@QuarkusTest
@TestProfile(BreachedPasswordApiTest.Listed.class)
class BreachedPasswordApiTest {
  private static final String BREACHED = "canary-b71c \u00e9";
  private static final String AS_TYPED = "canary-b71c e\u0301";

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;

  /** With a list of one. */
  public static final class Listed extends LocalOnly implements QuarkusTestProfile {
    private static final Path FILE = file();

    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.passwords.breached-file", FILE.toString());
      return config;
    }

    private static Path file() {
      try {
        Path file = Files.createTempFile("breached", ".txt");
        file.toFile().deleteOnExit();
        return Lists.write(file, BREACHED);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void breachedPassword_isRefusedWithoutAHash_andNeitherItNorItsDigestIsLogged() {
    String token = token();
    assertThat(create(token, "ann", "a good one").statusCode()).isEqualTo(201);
    HashCount hashes = new HashCount(meters);
    List<String> lines;
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      for (String password : new String[] {BREACHED, AS_TYPED}) {
        for (Response answer :
            new Response[] {
              create(token, "bob", password), setPassword(token, "ann", password),
            }) {
          answer
              .then()
              .statusCode(400)
              .contentType(Problem.MEDIA_TYPE)
              .body("type", equalTo("urn:spillway:breached-password"))
              .body("errors[0].field", equalTo("password"))
              .body("errors[0].message", equalTo("is in a list of breached passwords"));
          assertThat(answer.asString()).doesNotContain("canary");
        }
      }
      // Of the service: what this test itself sends is logged by its client.
      lines = log.lines().stream().filter(line -> !line.contains("[org.apache.http")).toList();
    }
    assertThat(hashes.asked()).isZero();
    assertThat(users.find(new LoginName("bob"))).isEmpty();
    assertThat(Api.login("ann", "a good one").statusCode()).isEqualTo(200);
    String digest = HexFormat.of().formatHex(Lists.sha1(BREACHED));
    assertThat(lines).isNotEmpty();
    assertThat(lines.stream().filter(line -> line.contains("canary-b71c"))).isEmpty();
    assertThat(
            lines.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).contains(digest.substring(0, 8))))
        .isEmpty();
  }

  @Test
  void login_neverAsksTheList() {
    users.create(
        new NewUser(new LoginName("carl"), TestHash.of("2y", 4, BREACHED), true, false, Set.of()));
    assertThat(Api.login("carl", BREACHED).statusCode()).isEqualTo(200);
    await().until(() -> !users.find(new LoginName("carl")).orElseThrow().legacy());
    assertThat(Api.login("carl", BREACHED).statusCode()).as("with its better hash").isEqualTo(200);
  }

  /**
   * A hash tells nothing of what it is of, and the check beside it is of the user's old password.
   */
  @Test
  void imports_doNotAskTheList() {
    String line =
        "{\"login\":\"dora\",\"hash\":\"%s\",\"check\":\"%s\"}\n"
            .formatted(TestHash.of(BREACHED), BREACHED);
    Api.bare()
        .header("Authorization", "Bearer " + token())
        .contentType("application/x-ndjson")
        .body(line.getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200)
        .body("imported", equalTo(1));
  }

  @Test
  void description_saysSo() {
    for (String operation : new String[] {"'/users'.post", "'/users/{id}/password'.put"}) {
      given()
          .accept("application/json")
          .get("/q/openapi")
          .then()
          .body(
              "paths." + operation + ".responses.'400'.description",
              containsString("urn:spillway:breached-password"))
          .body(
              "paths." + operation + ".responses.'400'.content.keySet()[0]",
              equalTo(Problem.MEDIA_TYPE));
    }
  }

  private static String token() {
    return Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
  }

  private static Response create(String token, String login, String password) {
    return given()
        .header("Authorization", "Bearer " + token)
        .contentType("application/json; charset=utf-8")
        .body(Map.of("login", login, "password", password))
        .post("/users");
  }

  private static Response setPassword(String token, String login, String password) {
    return given()
        .header("Authorization", "Bearer " + token)
        .contentType("application/json; charset=utf-8")
        .body(Map.of("password", password))
        .put(Api.user(login) + "/password");
  }
}
