package dev.spillway.auth.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** M4. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class AnswersBehindProxiesTest {
  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
  }

  /** Whatever host and scheme the client sees, a path is right there. */
  @Test
  void m4_location_isAPathOfTheClientsOrigin() {
    assertThat(
            Api.admin()
                .contentType("application/json")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "login.example")
                .body(Map.of("login", "located", "password", "a long password"))
                .post("/users")
                .then()
                .statusCode(201)
                .extract()
                .header("Location"))
        .matches("/users/[^/]+");
  }

  @Test
  void m4_spend_isInSnakeCaseAsAllElse() {
    Map<String, Object> spend = Api.admin().get("/spend").jsonPath().getMap("$");
    assertThat(spend).containsKeys("per_hour", "per_day", "per_minute", "hour");
    assertThat(spend.keySet()).allMatch(name -> name.matches("[a-z_]+"));
  }
}
