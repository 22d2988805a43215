package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.HashCount;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same password in other bytes: synapse #3306, yuvomi #608, mattermost #37938, hydra #2882. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class NormalFormTest {
  private static final String NFC = "\u00e9";
  private static final String NFD = "e\u0301";

  /** Of libxcrypt: of the two bytes of NFC, and of the three of NFD. */
  private static final String OF_NFC =
      "$2b$05$CCCCCCCCCCCCCCCCCCCCC.DvKJiuZKaiEep8jwYdCcoFbV7qNxYdm";

  private static final String OF_NFD =
      "$2b$05$CCCCCCCCCCCCCCCCCCCCC.i8ftF58kCptWNIH/1.KWbsnT7cwIchS";

  @Inject UserDirectory users;
  @Inject MeterRegistry meters;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void bothForms_areThePasswordOfAHashOfNfc_forOneHashEach() {
    user("composed", OF_NFC);
    HashCount hashes = new HashCount(meters);
    assertThat(login("composed", NFC)).isEqualTo(200);
    assertThat(login("composed", NFD)).isEqualTo(200);
    assertThat(hashes.asked()).isEqualTo(2);
  }

  /** An old hash is of what came: the second hash finds that out, and the next login needs none. */
  @Test
  void oldHashOfOtherBytes_isFound_andReplacedByOneOfNfc() {
    user("as-typed", OF_NFD);
    assertThat(login("as-typed", NFC)).as("cannot be known").isEqualTo(401);

    HashCount hashes = new HashCount(meters);
    assertThat(login("as-typed", NFD)).isEqualTo(200);
    assertThat(hashes.asked()).isEqualTo(2);

    await().until(() -> !hash("as-typed").equals(OF_NFD));
    HashCount after = new HashCount(meters);
    assertThat(login("as-typed", NFC)).isEqualTo(200);
    assertThat(login("as-typed", NFD)).isEqualTo(200);
    assertThat(after.asked()).isEqualTo(2);
  }

  /** By the number of hashes nobody can tell who exists. */
  @Test
  void wrongPassword_costsAsManyHashes_whoeverItIs() {
    user("known-form", OF_NFC);
    users.create(new NewUser(new LoginName("disabled-form"), OF_NFC, true, true, Set.of()));
    for (String login : new String[] {"known-form", "nobody-form", "disabled-form"}) {
      HashCount hashes = new HashCount(meters);
      assertThat(login(login, NFD + "x")).isEqualTo(401);
      assertThat(hashes.asked()).as(login).isEqualTo(2);
      assertThat(login(login, NFC + "x")).isEqualTo(401);
      assertThat(hashes.asked()).as(login).isEqualTo(3);
    }
    HashCount hashes = new HashCount(meters);
    assertThat(login("disabled-form", NFD)).isEqualTo(401);
    assertThat(hashes.asked()).isEqualTo(2);
  }

  @Test
  void password_isSetInNfc_andTheLengthIsThatOfWhatIsHashed() {
    String admin = token();
    assertThat(create(admin, "long-nfd", NFD.repeat(36))).isEqualTo(201);
    assertThat(login("long-nfd", NFC.repeat(36))).isEqualTo(200);
    assertThat(login("long-nfd", NFD.repeat(36))).as("108 bytes as typed").isEqualTo(200);
    assertThat(create(admin, "longer-nfd", NFD.repeat(37))).isEqualTo(400);
    HashCount hashes = new HashCount(meters);
    assertThat(login("long-nfd", NFD.repeat(37))).isEqualTo(401);
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void charactersThatOnlyLookAlike_areOthers() {
    user("ligature", TestHash.of("\ufb01sh"));
    assertThat(login("ligature", "fish")).isEqualTo(401);
    assertThat(login("ligature", "\ufb01sh")).isEqualTo(200);
  }

  /** CVE-2022-46146. */
  @Test
  void theHashItself_isNoPassword() {
    user("hash-typed", OF_NFC);
    assertThat(login("hash-typed", OF_NFC)).isEqualTo(401);
  }

  @Test
  void importCheck_acceptsTheFormTheHashIsOf() {
    for (String hash : new String[] {OF_NFC, OF_NFD}) {
      String login = "checked-" + hash.substring(30, 36).toLowerCase(Locale.ROOT);
      String line =
          "{\"login\":\"%s\",\"hash\":\"%s\",\"check\":\"%s\"}".formatted(login, hash, NFD);
      String answer =
          Api.bare()
              .header("Authorization", "Bearer " + token())
              .contentType("application/x-ndjson")
              .body(line.getBytes(StandardCharsets.UTF_8))
              .post("/users/import")
              .asString();
      assertThat(users.find(new LoginName(login))).as(answer).isPresent();
    }
  }

  private void user(String login, String hash) {
    users.create(new NewUser(new LoginName(login), hash, true, false, Set.of()));
  }

  private String hash(String login) {
    return users.find(new LoginName(login)).orElseThrow().passwordHash();
  }

  private static String token() {
    return given()
        .contentType("application/json")
        .body(Map.of("login", LocalOnly.ADMIN, "password", LocalOnly.ADMIN_PASSWORD))
        .post("/login")
        .path("access_token");
  }

  private static int create(String token, String login, String password) {
    return given()
        .header("Authorization", "Bearer " + token)
        .contentType("application/json; charset=utf-8")
        .body(Map.of("login", login, "password", password))
        .post("/users")
        .statusCode();
  }

  private static int login(String login, String password) {
    return given()
        .contentType("application/json; charset=utf-8")
        .body(Map.of("login", login, "password", password))
        .post("/login")
        .statusCode();
  }
}
