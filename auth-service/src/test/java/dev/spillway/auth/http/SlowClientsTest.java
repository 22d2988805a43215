package dev.spillway.auth.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.hashing.pool.HashPool;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that take their time, or say too much before they come to the point. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class SlowClientsTest {
  private static final String HEAD =
      "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n";

  @Inject HashPool pool;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  /** It would take over an hour. */
  @Test
  void bodyThatDrips_isAnswered408AndCostsNoPermit() throws IOException {
    try (RawClient client = new RawClient(RestAssured.port);
        ScheduledExecutorService drops = Executors.newSingleThreadScheduledExecutor()) {
      client.sendRaw(HEAD + "\r\n{");
      var _ = drops.scheduleWithFixedDelay(() -> drop(client), 0, 250, TimeUnit.MILLISECONDS);
      assertThat(pool.free()).isEqualTo(pool.size());
      assertThat(client.answer())
          .startsWith("HTTP/1.1 408")
          .contains(Problem.MEDIA_TYPE)
          .contains("at most 5 seconds");
      assertThat(client.isHungUpOn()).as("nor is the rest waited for").isTrue();
      drops.shutdownNow();
    }
  }

  @Test
  void bodyThatStopsComing_isHungUpOn() throws IOException {
    try (RawClient client = new RawClient(RestAssured.port)) {
      client.sendRaw(HEAD + "\r\n{\"login\":");
      // An answer may come before the connection ends, and then is no success.
      assertThat(client.answer()).doesNotStartWith("HTTP/1.1 2");
      assertThat(client.isHungUpOn()).isTrue();
      assertThat(pool.free()).isEqualTo(pool.size());
    }
  }

  @Test
  void longHeaders_areRefused() throws IOException {
    String line = "X-Long: " + "x".repeat(1_000) + "\r\n";
    assertThat(answerTo(HEAD + line.repeat(9) + "\r\n")).startsWith("HTTP/1.1 431");
    assertThat(answerTo("GET /" + "x".repeat(5_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
        .containsPattern("^HTTP/1.[01] 414");
  }

  @Test
  void unknownMethod_isToldTheKnownOnes() throws IOException {
    assertThat(answerTo("PUT /login HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"))
        .startsWith("HTTP/1.1 405")
        .contains(Problem.MEDIA_TYPE)
        .containsPattern("(?i)allow: OPTIONS, POST\r");
    given()
        .put("/users/x/")
        .then()
        .statusCode(405)
        .header("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH");
    given().get("/users/x/password").then().statusCode(405).header("Allow", "OPTIONS, PUT");
  }

  /** M4: HEAD of a path that has no GET, and OPTIONS of the same path. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/login | OPTIONS, POST",
        "/users/import | OPTIONS, POST",
        "/users/1 | DELETE, GET, HEAD, OPTIONS, PATCH",
        "/users/1/password | OPTIONS, PUT",
        "/users/1/sessions/ | DELETE, OPTIONS",
      })
  void m4_headAndOptions_agree(String path, String methods) {
    given().options(path).then().statusCode(200).header("Allow", methods);
    if (!methods.contains("HEAD")) {
      given().head(path).then().statusCode(405).header("Allow", methods);
    }
  }

  @Test
  void deepNestingAndDuplicates_are400() throws IOException {
    for (String body :
        new String[] {
          "{\"login\":" + "[".repeat(1_000) + "]".repeat(1_000) + ",\"password\":\"p\"}",
          "{\"login\":\"a\",\"login\":\"b\",\"password\":\"p\"}",
          "{\"login\":\"a\",\"password\":\"p\",\"password\":\"p\"}",
        }) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        assertThat(client.send("POST", "/login", "", body).answer()).startsWith("HTTP/1.1 400");
      }
    }
    assertThat(pool.free()).isEqualTo(pool.size());
  }

  @Test
  void otherOrigins_areGivenNoLeave() {
    given()
        .header("Origin", "https://evil.example")
        .header("Access-Control-Request-Method", "POST")
        .options("/login")
        .then()
        .header("Access-Control-Allow-Origin", org.hamcrest.Matchers.nullValue());
  }

  private static void drop(RawClient client) {
    try {
      client.sendRaw(" ");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e); // the end of the drip
    }
  }

  private static String answerTo(String request) throws IOException {
    try (RawClient client = new RawClient(RestAssured.port)) {
      return client.sendRaw(request).answer();
    }
  }
}
