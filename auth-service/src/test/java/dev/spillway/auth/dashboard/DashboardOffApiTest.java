package dev.spillway.auth.dashboard;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that is to have no dashboard has none: not for admins either. */
@QuarkusTest
@TestProfile(DashboardOffApiTest.Off.class)
@Timeout(60)
class DashboardOffApiTest {
  /** Without one. */
  public static class Off extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.dashboard.access", "off");
      return config;
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/dashboard.css", "/dashboard.js", "/icon.svg", "/events"})
  void nothingIsThere_404_withAndWithoutAToken(String path) {
    String token = login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");

    Response nobody = given().get("/q/dashboard" + path);
    Response admin = given().header("Authorization", "Bearer " + token).get("/q/dashboard" + path);

    assertThat(nobody.statusCode()).isEqualTo(404);
    assertThat(nobody.contentType()).startsWith("application/problem+json");
    assertThat(admin.statusCode()).isEqualTo(404);
    assertThat(admin.asString()).isEqualTo(nobody.asString());
  }
}
