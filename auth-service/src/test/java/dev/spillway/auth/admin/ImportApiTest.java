package dev.spillway.auth.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.auth.TestHash;
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
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

/** Users by the thousand, one JSON object a line. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class ImportApiTest {
  private static final String PASSWORD = "correct horse";
  private static final String HASH = TestHash.of(PASSWORD);

  @Inject UserDirectory users;
  @Inject HashPool pool;
  @Inject MeterRegistry meters;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2a", "2b", "2y"})
  void importedUser_canLogIn(String version) {
    String login = "imported-" + version;
    String hash = TestHash.of(version, 5, PASSWORD);
    imported(line(login.toUpperCase(java.util.Locale.ROOT), hash), 1, 0);
    assertThat(find(login).passwordHash()).isEqualTo(hash);
    assertThat(find(login).legacy()).isTrue();

    assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(200);
    assertThat(Api.login(login, "wrong").statusCode()).isEqualTo(401);
  }

  @Test
  void groupsAndDisabled_areKept() {
    imported(
        "{\"login\":\"g1\",\"hash\":\"%s\",\"groups\":[\"b\",\"a\"],\"disabled\":true}\n"
                .formatted(HASH)
            + "{\"login\":\"g2\",\"hash\":\"%s\",\"groups\":null,\"disabled\":null}\n"
                .formatted(HASH)
            + "{\"login\":\"g3\",\"hash\":\"%s\",\"groups\":[],\"disabled\":false}".formatted(HASH),
        3,
        0);
    assertThat(find("g1").groups()).containsExactlyInAnyOrder("a", "b");
    assertThat(find("g1").disabled()).isTrue();
    assertThat(find("g2").groups()).isEmpty();
    assertThat(find("g2").disabled()).isFalse();
    assertThat(find("g3").disabled()).isFalse();
    assertThat(Api.login("g1", PASSWORD).statusCode()).isEqualTo(401);
    assertThat(Api.login("g2", PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void refusedLines_areNumberedAndHoldUpNobody() {
    String overlong = line("l9", HASH).strip() + " ".repeat(4097);
    String body =
        line("l1", HASH)
            + "\n"
            + "  \t\r\n"
            + line("l4", HASH).stripTrailing()
            + "\r\n"
            + "{\"login\":\"l5\"\n"
            + line("l1", HASH)
            + line(LocalOnly.ADMIN, HASH)
            + line("", HASH)
            + overlong
            + "\n"
            + line("l9", HASH).stripTrailing();
    imported(body, 3, 5)
        .then()
        .body("errors.line", equalTo(List.of(5, 6, 7, 8, 9)))
        .body("errors[0].reason", equalTo("not the JSON object of a user"));
    assertThat(Api.login("l4", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(Api.login("l9", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "1",
        "\"canary\"",
        "{}",
        "{\"login\":\"bad\"}",
        "{\"hash\":\"HASH\"}",
        "{\"login\":null,\"hash\":\"HASH\"}",
        "{\"login\":\"bad\",\"hash\":null}",
        "{\"login\":\"bad\",\"hash\":1}",
        "{\"login\":1,\"hash\":\"HASH\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"canary\":1}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"hash\":\"HASH\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\"} {\"login\":\"bad2\",\"hash\":\"HASH\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"groups\":[null]}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"groups\":[\"a b\"]}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"groups\":\"a\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"disabled\":\"true\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"check\":1}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"check\":\"\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"check\":\"canary\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH\",\"check\":\"correct horse\\u0000\"}",
        "{\"login\":\"ba\\u0000d\",\"hash\":\"HASH\"}",
        "{\"login\":\"bad\",\"hash\":\"HASH \"}",
        "{\"login\":\"bad\",\"hash\":\"\"}",
        "{\"login\":\"bad\",\"hash\":\"\\ud800\"}",
        "{\"login\":\"bad\",\"hash\":\"canary\"}",
        "{\"login\":\"bad\",\"hash\":\"$2x$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US\"}",
        "{\"login\":\"bad\",\"hash\":\"$2b$15$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy\"}",
        "{\"login\":\"bad\",\"hash\":\"$argon2id$v=19$m=4194304,t=10,p=16$c29tZXNhbHQ$Rdes\"}",
      })
  void unacceptableLine_isRefusedAndNotRepeated(String line) {
    String report =
        imported(line.replace("HASH", HASH) + "\n", 0, 1)
            .then()
            .body("errors[0].line", equalTo(1))
            .extract()
            .asString();
    assertThat(report).doesNotContain("canary").doesNotContain(HASH);
    assertThat(users.find(new LoginName("bad"))).isEmpty();
  }

  /** I2: bytes that every other endpoint refuses. */
  @ParameterizedTest
  @ValueSource(strings = {"over\u00c1\u0081long", "\u00ed\u00a0\u0080", "\u00ff"})
  void i2_lineThatIsNotUtf8_isRefused(String login) {
    byte[] line = line(login, HASH).getBytes(StandardCharsets.ISO_8859_1);
    Response answer =
        Api.bare()
            .header("Authorization", "Bearer " + token())
            .contentType("application/x-ndjson")
            .body(line)
            .post("/users/import");
    assertThat(answer.jsonPath().getMap("$"))
        .containsAllEntriesOf(Map.of("imported", 0, "refused", 1));
  }

  @Test
  void i2_otherCharset_isRefused() {
    assertThat(
            Api.bare()
                .header("Authorization", "Bearer " + token())
                .header("Content-Type", "application/x-ndjson;charset=utf-16")
                .body(line("utf16", HASH).getBytes(StandardCharsets.UTF_16BE))
                .post("/users/import")
                .statusCode())
        .isEqualTo(415);
  }

  @Test
  void check_isHeldAgainstTheHash() {
    String right = "{\"login\":\"checked\",\"hash\":\"%s\",\"check\":\"%s\"}\n";
    HashCount hashes;
    String token = token();
    hashes = new HashCount(meters);
    report(token, right.formatted(HASH, PASSWORD), 1, 0);
    assertThat(hashes.asked()).isEqualTo(1);
    report(token, right.formatted(HASH, "wrong").replace("checked", "unchecked"), 0, 1)
        .then()
        .body("errors[0].reason", equalTo("check does not match hash"));
    assertThat(users.find(new LoginName("unchecked"))).isEmpty();
  }

  @Test
  void withoutCheck_noHashIsSpent() {
    String token = token();
    HashCount hashes = new HashCount(meters);
    report(token, line("unhashed", HASH), 1, 0);
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void secondImport_findsEverybodyThere() {
    String lines = many("again", 1_200);
    imported(lines, 1_200, 0);
    imported(lines, 0, 1_200)
        .then()
        .body("errors.size()", equalTo(1_000))
        .body("errors[0].reason", equalTo("there is a user of this login"));
  }

  @Test
  void thousandsOfLines_areImported() {
    imported(many("bulk", 2_000), 2_000, 0);
    assertThat(Api.login("bulk0", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(Api.login("bulk1999", PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void nothing_isImportedFromNothing() {
    imported("\n\r\n", 0, 0);
  }

  @Test
  void checkThatCannotBeMade_endsTheImportWith503() {
    String token = token();
    String body =
        "{\"login\":\"later\",\"hash\":\"%s\",\"check\":\"%s\"}".formatted(HASH, PASSWORD);
    try (HeldPool held = HeldPool.hold(pool)) {
      post(token, body).then().statusCode(503);
    }
    assertThat(users.find(new LoginName("later"))).isEmpty();
    report(token, body, 1, 0);
  }

  /** Uploads break off every day; that is no fault of ours to wake anybody for. */
  @Test
  void uploadThatBreaksOff_isNotLoggedAsAFailure() throws IOException {
    String token = token();
    try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        client.sendRaw(
            "POST /users/import HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-ndjson\r\nAuthorization: Bearer "
                + token
                + "\r\nContent-Length: 1000000\r\n\r\n"
                + many("broken", 600));
        await().until(() -> users.find(new LoginName("broken499")).isPresent());
      }
      imported(line("after-broken", HASH), 1, 0);
      assertThat(log.lines()).isEmpty();
    }
  }

  /** An import goes on for as long as its sender likes. */
  @Test
  void importOfAnAdminWhoIsDisabledMeanwhile_ends() throws IOException {
    users.create(
        new NewUser(
            new LoginName("importer"), TestHash.of(PASSWORD), false, false, Set.of("admin")));
    String token = Api.login("importer", PASSWORD).path("access_token");
    try (RawClient client = new RawClient(RestAssured.port)) {
      client.sendRaw(
          "POST /users/import HTTP/1.1\r\nHost: localhost\r\n"
              + "Content-Type: application/x-ndjson\r\nAuthorization: Bearer "
              + token
              + "\r\nContent-Length: 1000000\r\n\r\n"
              + many("early", 500));
      await().until(() -> users.find(new LoginName("early499")).isPresent());
      Api.admin()
          .contentType("application/json")
          .body(Map.of("disabled", true))
          .put(Api.user("importer") + "/disabled")
          .then()
          .statusCode(204);

      client.sendRaw(many("later", 500));

      assertThat(client.answer()).startsWith("HTTP/1.1 401");
    }
    assertThat(users.find(new LoginName("later0"))).isEmpty();
  }

  @Test
  void refusedUpload_isNotWaitedFor() throws IOException {
    try (CapturedLog log = CapturedLog.from(Level.WARNING);
        RawClient client = new RawClient(RestAssured.port)) {
      client.sendRaw(
          "POST /users/import HTTP/1.1\r\nHost: localhost\r\n"
              + "Content-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n{");
      assertThat(client.answer()).startsWith("HTTP/1.1 401");
      assertThat(client.isHungUpOn()).isTrue();
      assertThat(log.lines()).isEmpty();
    }
  }

  private static String line(String login, String hash) {
    return "{\"login\":\"%s\",\"hash\":\"%s\"}\n".formatted(login, hash);
  }

  private static String many(String login, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> line(login + i, HASH))
        .collect(Collectors.joining());
  }

  private static String token() {
    return Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
  }

  private static Response imported(String lines, int imported, int refused) {
    return report(token(), lines, imported, refused);
  }

  private static Response report(String token, String lines, int imported, int refused) {
    Response answer = post(token, lines);
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
    assertThat(answer.jsonPath().getMap("$"))
        .containsAllEntriesOf(Map.of("imported", imported, "refused", refused));
    return answer;
  }

  private static Response post(String token, String lines) {
    return Api.bare()
        .header("Authorization", "Bearer " + token)
        .contentType("application/x-ndjson")
        .body(lines.getBytes(StandardCharsets.UTF_8))
        .post("/users/import");
  }

  private UserRecord find(String login) {
    return users.find(new LoginName(login)).orElseThrow();
  }
}
