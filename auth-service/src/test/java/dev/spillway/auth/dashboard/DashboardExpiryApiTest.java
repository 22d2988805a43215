package dev.spillway.auth.dashboard;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody looks on with a token that has expired. */
@QuarkusTest
@TestProfile(DashboardExpiryApiTest.ShortTokens.class)
@Timeout(60)
class DashboardExpiryApiTest {
  private static final String EVENTS = "/q/dashboard/events";

  @Inject Samples samples;

  /** With tokens that are good for a few samples. */
  public static class ShortTokens extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.tokens.lifetime", "4s");
      return config;
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void whenTheTokenExpires_theStreamEnds_itsPlaceIsFree_andItOpensNoOther() throws Exception {
    int free = samples.freePlaces();
    String token = login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<Stream<String>> answer =
          client.send(request(token), HttpResponse.BodyHandlers.ofLines());
      assertThat(answer.statusCode()).isEqualTo(200);

      List<String> events =
          answer.body().filter(line -> line.startsWith("data:")).toList(); // until it ends

      assertThat(events).as("while it was good").isNotEmpty();
      assertThat(Instant.now()).isAfterOrEqualTo(expiry(token));
      await().until(() -> samples.freePlaces() == free);
      assertThat(client.send(request(token), HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(401);
    }
  }

  private static Instant expiry(String token) throws Exception {
    byte[] claims = Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]);
    return Instant.ofEpochSecond(new ObjectMapper().readTree(claims).path("exp").asLong());
  }

  private static HttpRequest request(String token) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + EVENTS))
        .header("Authorization", "Bearer " + token)
        .build();
  }
}
