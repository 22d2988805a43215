package dev.spillway.auth.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** I1: a check of an import and a login take a password for the same bytes. */
@QuarkusTest
@TestProfile(LegacyImportTest.Truncating.class)
class LegacyImportTest {
  public static class Truncating extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.hashing.truncate-for-legacy", "true");
      return config;
    }
  }

  @Test
  void i1_checkLongerThanBcryptReads_matchesAsTheLoginDoes() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    String hash = TestHash.of("a".repeat(72));
    String line = "{\"login\":\"%s\",\"hash\":\"" + hash + "\",\"check\":\"%s\"}\n";
    String lines =
        line.formatted("long", "a".repeat(73)) + line.formatted("other", "b" + "a".repeat(72));
    String token = Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
    Map<String, Object> report =
        Api.bare()
            .header("Authorization", "Bearer " + token)
            .contentType("application/x-ndjson")
            .body(lines.getBytes(StandardCharsets.UTF_8))
            .post("/users/import")
            .jsonPath()
            .getMap("$");
    assertThat(report).containsEntry("imported", 1).containsEntry("refused", 1);
    assertThat(Api.login("long", "a".repeat(73)).statusCode()).isEqualTo(200);
  }
}
