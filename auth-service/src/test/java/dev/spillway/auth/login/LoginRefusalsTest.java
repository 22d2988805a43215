package dev.spillway.auth.login;

import static dev.spillway.auth.Api.bare;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.spillway.auth.HashCount;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.http.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are refused for what they are: a problem each, and no hash for any. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class LoginRefusalsTest {
  private static final String GOOD = "{\"login\":\"ann\",\"password\":\"canary-51c2\"}";

  @Inject MeterRegistry meters;
  private HashCount hashes;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    hashes = new HashCount(meters);
  }

  @AfterEach
  void noHashWasSpent() {
    assertThat(hashes.asked()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\n null\t",
        "null",
        "{}",
        "[]",
        "\"canary-51c2\"",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\"",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\"} {}",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\"}canary-51c2",
        "[{\"login\":\"ann\",\"password\":\"canary-51c2\"}]",
        "{\"login\":\"ann\"}",
        "{\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":null}",
        "{\"login\":null,\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":51}",
        "{\"login\":51,\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":true}",
        "{\"login\":\"ann\",\"password\":[\"canary-51c2\"]}",
        "{\"login\":[\"ann\"],\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":{\"canary-51c2\":1}}",
        "{\"login\":\"\",\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":\"\"}",
        "{\"login\":\"nobody\",\"password\":\"\"}",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\",\"otp\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\",\"canary-51c2\":1}",
        "{\"login\":\"ann\",\"login\":\"bob\",\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":\"x\",\"password\":\"canary-51c2\"}",
        "{\"login\":\"ann\",\"password\":\"canary-51c2\\ud800\"}",
        "login=ann&password=canary-51c2",
      })
  void unacceptableBody_is400(String body) {
    refused(json().body(body.getBytes(StandardCharsets.UTF_8)).post("/login"), 400);
  }

  @Test
  void refusedFields_areNamed() {
    refused(json().body("{\"login\":\"\"}").post("/login"), 400)
        .body("type", equalTo("urn:spillway:invalid-request"))
        .body("errors.field", equalTo(java.util.List.of("login", "password")));
    refused(json().body("{\"login\":\"ann\",\"password\":\"\"}").post("/login"), 400)
        .body("errors[0].field", equalTo("password"))
        .body("errors[0].message", equalTo("must not be empty"));
  }

  @Test
  void bodyOver4Kib_is413() {
    refused(json().body(GOOD + " ".repeat(4097 - GOOD.length())).post("/login"), 413);
    String longPassword = "{\"login\":\"ann\",\"password\":\"" + "c".repeat(1 << 20) + "\"}";
    refused(json().body(longPassword).post("/login"), 413);
  }

  @Test
  void unannouncedBodyOver4Kib_is413() throws IOException, InterruptedException {
    byte[] body = (" ".repeat(5_000) + GOOD).getBytes(StandardCharsets.UTF_8);
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/login"))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofInputStream(
                          () -> new ByteArrayInputStream(body)))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(413);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue(Problem.MEDIA_TYPE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/xml"})
  void otherMediaType_is415(String type) {
    refused(bare().contentType(type).body(GOOD).post("/login"), 415);
  }

  @Test
  void otherMethod_is405() {
    refused(given().get("/login"), 405);
    refused(json().body(GOOD).put("/login"), 405);
    refused(given().delete("/login"), 405);
  }

  @Test
  void otherPath_is404() {
    refused(json().body(GOOD).post("/login/ann"), 404);
    refused(json().body(GOOD).post("/logins"), 404);
  }

  private static ValidatableResponse refused(Response answer, int status) {
    return answer
        .then()
        .statusCode(status)
        .contentType(Problem.MEDIA_TYPE)
        .body("status", equalTo(status))
        .body(not(containsString("canary")));
  }

  private static RequestSpecification json() {
    return bare().contentType("application/json");
  }
}
