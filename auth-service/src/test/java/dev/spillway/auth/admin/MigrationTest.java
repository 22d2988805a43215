package dev.spillway.auth.admin;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What docs/migration.md says: a sample of each system's export, made by libxcrypt, goes through
 * its jq program and the import, and its users log in.
 */
@QuarkusTest
@TestProfile(LocalOnly.class)
class MigrationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  /** A user who may log in, and one who is disabled where the system knows that. */
  @ParameterizedTest
  @CsvSource({
    "keycloak, json, kc-ada, keycloak pw 1, kc-bea, keycloak pw 2, 401",
    "auth0, ndjson, a0-ada@example.com, auth0 pw 1, a0-bea@example.com, auth0 pw 2, 200",
    "supabase, ndjson, sb-ada@example.com, supabase pw 1, sb-bea@example.com, supabase pw 2, 401",
    "django, json, dj-ada, django pw 1, dj-bea, django pw 2, 401",
    "php, tsv, php-ada@example.com, php pw 1, php-bea@example.com, php pw 2, 200",
  })
  void export_isImportedAndItsUsersLogIn(
      String system,
      String type,
      String login,
      String password,
      String other,
      String othersPassword,
      int othersStatus)
      throws Exception {
    String users = jq(system, system + "." + type);
    assertThat(users.lines()).as("what cannot be verified is left out").hasSize(2);

    Api.admin()
        .contentType("application/x-ndjson")
        .body(users.getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200)
        .body("imported", equalTo(2));

    assertThat(Api.login(login, password).statusCode()).isEqualTo(200);
    assertThat(Api.login(login, othersPassword).statusCode()).isEqualTo(401);
    assertThat(Api.login(other, othersPassword).statusCode()).isEqualTo(othersStatus);
  }

  /** What Keycloak 26.4.7 and Django 5.2.19 wrote, each with the kinds of hashes it has. */
  @ParameterizedTest
  @CsvSource({
    "keycloak, keycloak-hashes.json, kc-, keycloak pw, argon2 pbkdf2-sha256 pbkdf2-sha512",
    "django, django-hashers.json, dj-, django pw, pbkdf2_sha256 argon2 scrypt",
  })
  void hashesOfOtherKinds_areImportedAndTheirUsersLogIn(
      String system, String sample, String prefix, String password, String kinds) throws Exception {
    Api.admin()
        .contentType("application/x-ndjson")
        .body(jq(system, sample).getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200)
        .body("imported", equalTo(3));
    for (String kind : kinds.split(" ")) {
      String login = prefix + kind.replace('_', '-');
      assertThat(Api.login(login, password + " " + kind).statusCode()).as(kind).isEqualTo(200);
      assertThat(Api.login(login, password).statusCode()).as(kind).isEqualTo(401);
    }
  }

  /** S3: by the command that docs/migration.md prints. */
  private static String jq(String system, String sample) throws IOException, InterruptedException {
    Matcher printed =
        Pattern.compile("`(jq [^`|]+/" + system + "\\.jq)`")
            .matcher(Files.readString(ROOT.resolve("docs/migration.md")));
    assertThat(printed.find()).as("a command for %s", system).isTrue();
    List<String> command = new ArrayList<>(List.of(printed.group(1).split(" ")));
    command.add("infra/migration/samples/" + sample);
    Process jq;
    try {
      jq =
          new ProcessBuilder(command)
              .directory(ROOT.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      System.out.println("MigrationTest skipped: there is no jq");
      assumeTrue(false, "no jq");
      throw e;
    }
    String said = new String(jq.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jq.waitFor()).isZero();
    return said;
  }
}
