package dev.spillway.auth.login;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import dev.spillway.auth.HashCount;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, who does not, and what either costs. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class LoginApiTest {
  private static final String PASSWORD = "correct horse";

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    user("ann", TestHash.of(PASSWORD), false, Set.of("ops", "dev"));
  }

  @Test
  void rightPassword_yieldsATokenThatSaysWho() {
    HashCount hashes = new HashCount(meters);
    Response answer = login("ann", PASSWORD);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.contentType()).startsWith("application/json");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.jsonPath().getMap("$"))
        .containsOnlyKeys("access_token", "token_type", "expires_in")
        .containsEntry("token_type", "Bearer")
        .containsEntry("expires_in", 900);
    assertThat(hashes.computed()).isEqualTo(1);
    assertThat(hashes.asked()).isEqualTo(1);
    given()
        .header("Authorization", "Bearer " + answer.path("access_token"))
        .get("/me")
        .then()
        .statusCode(200)
        .body("login", equalTo("ann"))
        .body("groups", equalTo(java.util.List.of("dev", "ops")))
        .body("exp", greaterThan((int) (System.currentTimeMillis() / 1000)));
  }

  @Test
  void me_needsAToken() {
    assertThat(given().get("/me").statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ANN", "aNN"})
  void loginName_isTheSameInEitherCase(String typed) {
    assertThat(login(typed, PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void loginName_isTheSameInEitherUnicodeForm() {
    user("zo\u00eb", TestHash.of(PASSWORD), false, Set.of());
    assertThat(login("zo\u00eb", PASSWORD).statusCode()).isEqualTo(200);
    assertThat(login("ZOE\u0308", PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void passwordIsComparedInUnicodesNfc_andOtherwiseByteForByte() {
    user("byte", TestHash.of("\u00e9"), false, Set.of());
    assertThat(login("byte", "\u00e9").statusCode()).isEqualTo(200);
    assertThat(login("byte", "e\u0301").statusCode()).isEqualTo(200);
    assertDenied(login("byte", "e"));
    assertDenied(login("byte", "\u00c9"));
  }

  /** A client may still send a token that has ended when it logs in for a new one. */
  @Test
  void unacceptableToken_doesNotKeepAnybodyFromLoggingIn() {
    given()
        .header("Authorization", "Bearer nonsense")
        .contentType("application/json")
        .body(Map.of("login", "ann", "password", PASSWORD))
        .post("/login")
        .then()
        .statusCode(200);
  }

  @Test
  void wrongPassword_isDeniedForOneHash() {
    assertDeniedForOneHash("ann", "wrong");
  }

  @Test
  void unknownLogin_isDeniedForOneHash() {
    assertDeniedForOneHash("nobody", PASSWORD);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a\u0000b", "\u2028", "ann "})
  void loginThatNobodyCanHave_isDeniedForOneHash(String typed) {
    assertDeniedForOneHash(typed, PASSWORD);
    assertDeniedForOneHash("n".repeat(2_000), PASSWORD);
  }

  @Test
  void disabledUser_isDeniedForOneHash() {
    user("gone", TestHash.of(PASSWORD), true, Set.of());
    assertDeniedForOneHash("gone", PASSWORD);
    assertDeniedForOneHash("gone", "wrong");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "correct horse",
        "$2x$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US",
        "$2z$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWN",
        "$2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNyy",
        "$2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWN!",
        "$2b$03$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$2b$15$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$2b$31$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$argon2id$v=19$m=4194304,t=10,p=16$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG",
      })
  void storedHashThatCannotBeVerified_isDeniedForOneHashOfOurs(String stored) {
    String login = "odd" + Integer.toHexString(stored.hashCode());
    user(login, stored, false, Set.of());
    assertDeniedForOneHash(login, PASSWORD);
  }

  /** CVE-2022-46146 in another shape: what is stored is no password. */
  @Test
  void storedHashAsPassword_isDenied() {
    assertDeniedForOneHash("ann", TestHash.of(PASSWORD));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "\u0000\u0000", "correct horse\u0000", "correct horse\u0000x"})
  void passwordWithNul_isDeniedWithoutAHash(String password) {
    assertDeniedWithoutAHash("ann", password);
    assertDeniedWithoutAHash("nobody", password);
  }

  /** CVE-2025-22228: only 72 bytes count, so what has more is nobody's password. */
  @Test
  void passwordOver72Bytes_isDeniedWithoutAHash() {
    user("long", TestHash.of("a".repeat(72)), false, Set.of());
    assertThat(login("long", "a".repeat(72)).statusCode()).isEqualTo(200);
    assertDeniedWithoutAHash("long", "a".repeat(73));
    assertDeniedWithoutAHash("nobody", "a".repeat(73));
    assertDeniedWithoutAHash("long", "\u00e9".repeat(36) + "a");
  }

  @Test
  void everyRefusal_readsTheSame() {
    user("gone2", TestHash.of(PASSWORD), true, Set.of());
    user("odd2", "*", false, Set.of());
    Response wrong = login("ann", "wrong");
    for (Response other :
        new Response[] {
          login("nobody", "wrong"),
          login("gone2", PASSWORD),
          login("odd2", PASSWORD),
          login("ann", "\u0000"),
          login("ann", "a".repeat(73))
        }) {
      assertThat(other.asString()).isEqualTo(wrong.asString());
      assertThat(other.headers().asList()).hasSameSizeAs(wrong.headers().asList());
    }
    assertThat(wrong.asString()).doesNotContain("wrong\"").doesNotContain("ann\"");
  }

  private void assertDeniedForOneHash(String login, String password) {
    HashCount hashes = new HashCount(meters);
    assertDenied(login(login, password));
    assertThat(hashes.computed()).isEqualTo(1);
    assertThat(hashes.asked()).isEqualTo(1);
  }

  private void assertDeniedWithoutAHash(String login, String password) {
    HashCount hashes = new HashCount(meters);
    assertDenied(login(login, password));
    assertThat(hashes.asked()).isZero();
  }

  private static void assertDenied(Response answer) {
    answer
        .then()
        .statusCode(401)
        .contentType(Problem.MEDIA_TYPE)
        .header("WWW-Authenticate", "Bearer")
        .header("Cache-Control", "no-store")
        .body("type", equalTo("about:blank"))
        .body("status", equalTo(401))
        .body("detail", equalTo("Wrong login or password."));
  }

  /** Left alone if it is there. */
  private void user(String login, String hash, boolean disabled, Set<String> groups) {
    LoginName name = LoginName.parse(login).orElseThrow();
    users.create(new NewUser(name, hash, true, disabled, groups));
  }
}
