package dev.spillway.auth.admin;

import static dev.spillway.auth.Api.admin;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.notNullValue;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.http.Problem;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** A rotation by command, over HTTP; its end is for {@code KeyRotationTest}. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class KeysApiTest {
  /** In one test: the service of this profile is shared, and it rotates once in six minutes. */
  @Test
  void rotation_publishesAKeyThatDoesNotSignYet() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    String old = admin().get("/keys").path("keys[0].kid");

    String young =
        admin()
            .post("/keys/rotation")
            .then()
            .statusCode(202)
            .body("state", equalTo("published"))
            .body("algorithm", equalTo("ES256"))
            .body("published_at", notNullValue())
            .extract()
            .path("kid");

    admin()
        .post("/keys/rotation")
        .then()
        .statusCode(409)
        .contentType(Problem.MEDIA_TYPE)
        .body("type", equalTo("urn:spillway:rotation-under-way"));
    var listed =
        admin()
            .get("/keys")
            .then()
            .statusCode(200)
            .body("keys.kid", contains(old, young))
            .body("keys.state", contains("signing", "published"))
            .extract()
            .jsonPath();
    Instant signsFrom = Instant.parse(listed.getString("keys[1].signs_from"));
    assertThat(Duration.between(Instant.parse(listed.getString("keys[1].published_at")), signsFrom))
        .isEqualTo(Duration.ofSeconds(361));
    assertThat(Duration.between(signsFrom, Instant.parse(listed.getString("keys[0].retired_at"))))
        .isEqualTo(Duration.ofMinutes(16));
    assertThat(listed.getMap("keys[1]")).doesNotContainKey("retired_at");
    given().get("/.well-known/jwks.json").then().body("keys.kid", hasItems(old, young));
    String token = Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
    assertThat(new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]))).contains(old);
    assertThat(given().get("/q/metrics").asString())
        .contains("spillway_tokens_keys{state=\"published\"} 1.0")
        .contains("spillway_tokens_keys{state=\"signing\"} 1.0")
        .contains("spillway_tokens_rotation_total{reason=\"command\"} 1.0");
  }

  @Test
  void keys_areForAdminsOnly() {
    for (String method : new String[] {"GET /keys", "POST /keys/rotation"}) {
      String[] parts = method.split(" ");
      assertThat(given().request(parts[0], parts[1]).statusCode()).isEqualTo(401);
    }
  }
}
