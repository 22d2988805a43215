package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users who come from a system without bcrypt. */
@QuarkusTest
@TestProfile(LocalOnly.class)
@Timeout(120)
class ForeignHashLoginTest {
  private static final String PASSWORD = "correct horse \u00e9";
  private static final List<String> HASHES =
      List.of(
          "pbkdf2_sha256$1000000$VqEl5ljMJ2sBGIvaHD7AWe$yh3I+ONp+R36SohSHqYSDh02j/re/DxKSQ+Ex36lBiA=",
          "argon2$argon2id$v=19$m=102400,t=2,p=8$Nkx3cTl4UFNzS2kzV1g4T3lHOGpzSQ$Kht1q0pnyK1Eq6WUu/mXCrAizCqcomBhuhw5ZGUUvx0",
          "scrypt$16384$XNf28nZhG6WgbHkvOWjB6u$8$5$8bSPDgrSuVsHFMD7Y6dD7HphXbjmpMdNAPonDhHZdVg7VqquxoRy149df1DT+se/TVM4o7kZsuHZIlGbB4FTIQ==");

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;
  @Inject HashPool pool;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void imported_logsInWithAPermit_andHasBcryptAfterwards() {
    for (int i = 0; i < HASHES.size(); i++) {
      String login = "imported-" + i;
      importLine(login, HASHES.get(i)).body("imported", equalTo(1));
      assertThat(Api.login(login, "wrong").statusCode()).isEqualTo(401);
      assertThat(stored(login)).doesNotStartWith("$2b$");
      try (HeldPool held = HeldPool.hold(pool)) {
        assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(503);
      }
      HashCount hashes = new HashCount(meters);
      assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(200);
      assertThat(hashes.asked()).isEqualTo(1);
      await().until(() -> stored(login).startsWith("$2b$"));
      assertThat(Api.login(login, PASSWORD).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void hashThatWouldTakeTooLong_isRefusedByTheImport() {
    importLine("rich", "$pbkdf2-sha256$i=90000000$c2FsdHNhbHQ$" + "A".repeat(43))
        .body("imported", equalTo(0))
        .body("errors[0].reason", equalTo("hash cannot be verified: cost_too_high"));
  }

  private static io.restassured.response.ValidatableResponse importLine(String login, String hash) {
    return Api.admin()
        .contentType("application/x-ndjson")
        .body(
            "{\"login\":\"%s\",\"hash\":\"%s\"}\n"
                .formatted(login, hash)
                .getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200);
  }

  private String stored(String login) {
    return users.find(new LoginName(login)).orElseThrow().passwordHash();
  }
}
