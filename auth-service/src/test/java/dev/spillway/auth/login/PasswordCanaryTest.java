package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
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
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A password is in no log and in no answer, whatever becomes of its request. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class PasswordCanaryTest {
  private static final String CANARY = "canary-8e41d0";
  private static final String HASH = TestHash.of(CANARY);

  @Inject HashPool pool;
  @Inject UserDirectory users;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(new NewUser(new LoginName("bird"), HASH, true, false, Set.of()));
    users.create(
        new NewUser(
            new LoginName("old-bird"), TestHash.of("2y", 4, CANARY), true, false, Set.of()));
    users.create(new NewUser(new LoginName("odd-bird"), "*" + CANARY, true, false, Set.of()));
  }

  @Test
  void password_isNeitherLoggedNorRepeated() throws IOException {
    String admin = token(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD);
    List<String> answers = new ArrayList<>();
    List<String> lines;
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      for (String body :
          new String[] {
            login("bird", CANARY),
            login("bird", CANARY + "x"),
            login("nobody", CANARY),
            login("odd-bird", CANARY),
            login("bird", CANARY.repeat(7)),
            login("bird", CANARY + "\\u0000"),
            "{\"login\":\"bird\",\"password\":\"" + CANARY,
            "{\"login\":\"bird\",\"password\":[\"" + CANARY + "\"]}",
            "{\"login\":\"bird\",\"" + CANARY + "\":1}",
            "{\"login\":\"bird\",\"password\":\"x\",\"password\":\"" + CANARY + "\"}",
            "{\"login\":\"bird\",\"password\":" + CANARY + "}",
            CANARY,
          }) {
        answers.add(request("POST", "/login", "", body));
      }
      try (HeldPool held = HeldPool.hold(pool)) {
        answers.add(request("POST", "/login", "", login("bird", CANARY)));
      }
      answers.add(request("POST", "/users", admin, login("new-bird", CANARY)));
      answers.add(request("POST", "/users", admin, login("new-bird", CANARY)));
      answers.add(request("POST", "/users", admin, login("new-bird2", CANARY.repeat(7))));
      answers.add(
          request(
              "PUT",
              Api.user("new-bird") + "/password",
              admin,
              "{\"password\":\"" + CANARY + "\"}"));
      answers.add(
          request(
              "PUT",
              Api.user("no-bird") + "/password",
              admin,
              "{\"password\":\"" + CANARY + "\"}"));
      answers.add(request("POST", "/login", "", login("bird", CANARY + "e\u0301")));
      answers.add(request("POST", "/login", "", login("old-bird", CANARY)));
      await().until(() -> !users.find(new LoginName("old-bird")).orElseThrow().legacy());
      answers.add(request("GET", "/spend", admin, ""));
      answers.add(request("GET", "/q/metrics", "", ""));
      lines = log.lines();
    }
    assertThat(answers.stream().map(answer -> answer.substring(9, 12)))
        .containsExactly(
            "200", "401", "401", "401", "401", "401", "400", "400", "400", "400", "400", "400",
            "503", "201", "409", "400", "204", "404", "401", "200", "200", "200");
    assertThat(answers).noneMatch(answer -> answer.contains("canary"));
    assertThat(lines).as("something was logged").hasSizeGreaterThan(10);
    // A list of them all would be a failure nobody can read.
    assertThat(lines.stream().filter(line -> line.contains("canary"))).isEmpty();
    assertThat(lines.stream().filter(line -> line.contains("63616e6172792d")))
        .as("nor as a dump shows bytes")
        .isEmpty();
    assertThat(lines.stream().filter(line -> line.contains(base64("canary-8e"))))
        .as("nor in base64")
        .isEmpty();
    assertThat(lines.stream().filter(line -> line.contains(HASH.substring(29))))
        .as("nor a digest")
        .isEmpty();
  }

  private static String base64(String text) {
    return Base64.getEncoder()
        .encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static String login(String login, String password) {
    return "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password);
  }

  private static String token(String login, String password) {
    return "Authorization: Bearer "
        + given()
            .contentType("application/json")
            .body(login(login, password))
            .post("/login")
            .path("access_token")
        + "\r\n";
  }

  private static String request(String method, String path, String headers, String body)
      throws IOException {
    try (RawClient client = new RawClient(RestAssured.port)) {
      return client.send(method, path, headers, body).answer();
    }
  }
}
