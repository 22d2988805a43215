package dev.spillway.auth.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.gate.OwnRequests;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The settings of docs/operations.md let one other origin in, and no third one. */
@QuarkusTest
@TestProfile(CorsTest.AsPrinted.class)
class CorsTest {
  private static final Path DOCUMENT = Path.of("../docs/operations.md");
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  @Inject OwnRequests own;

  public static class AsPrinted extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      printed().forEach((key, value) -> config.put((String) key, (String) value));
      return config;
    }
  }

  @Test
  void preflightOfThatOrigin_isAllowed() {
    given()
        .header("Origin", "https://app.example")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "content-type")
        .options("/login")
        .then()
        .statusCode(200)
        .header(ALLOWED, equalTo("https://app.example"));
  }

  @Test
  void answerToThatOrigin_canBeRead() {
    given()
        .header("Origin", "https://app.example")
        .contentType("application/json")
        .body("{}")
        .post("/login")
        .then()
        .statusCode(400)
        .header(ALLOWED, equalTo("https://app.example"))
        .header("Access-Control-Expose-Headers", equalTo("retry-after"));
  }

  /** Browsers refuse an answer that allows twice. */
  @Test
  void keys_areAllowedOnce() {
    var answer = given().header("Origin", "https://app.example").get("/.well-known/jwks.json");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().getValues(ALLOWED)).hasSize(1);
  }

  /** Refused by the gate, before the body is read. */
  @Test
  void refusalToThatOrigin_canBeRead() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    String mark = own.begin().refused();
    try {
      given()
          .header("Origin", "https://app.example")
          .header(OwnRequests.HEADER, mark)
          .contentType("application/json")
          .body("{}")
          .post("/login")
          .then()
          .statusCode(503)
          .header(ALLOWED, equalTo("https://app.example"))
          .header("Access-Control-Expose-Headers", equalTo("retry-after"));
    } finally {
      own.end();
    }
  }

  @Test
  void anotherOrigin_isRefused() {
    given()
        .header("Origin", "https://other.example")
        .contentType("application/json")
        .body("{}")
        .post("/login")
        .then()
        .statusCode(403);
  }

  private static Properties printed() {
    try {
      String text = Files.readString(DOCUMENT);
      String start = "```properties\n";
      int from = text.indexOf(start) + start.length();
      Properties printed = new Properties();
      printed.load(new StringReader(text.substring(from, text.indexOf("```", from))));
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
