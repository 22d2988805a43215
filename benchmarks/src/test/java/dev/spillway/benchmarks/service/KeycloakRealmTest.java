package dev.spillway.benchmarks.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What a Keycloak is told and asked; it accepts exactly this when the spike lab starts one. */
class KeycloakRealmTest {
  private static final List<LoadUser> USERS = LoadUser.make("load", 3, 4);

  @Test
  void realm_hasTheLoadsUsers_withPasswordsThatNobodyHasToChange() throws Exception {
    JsonNode realm = read(new KeycloakRealm("load", KeycloakRealm.Hashing.DEFAULT, USERS));

    assertThat(realm.path("realm").asText()).isEqualTo("load");
    assertThat(realm.path("enabled").asBoolean()).isTrue();
    assertThat(realm.path("users"))
        .extracting(user -> user.path("username").asText())
        .containsExactlyElementsOf(USERS.stream().map(LoadUser::login).toList());
    for (JsonNode user : realm.path("users")) {
      JsonNode credential = user.path("credentials").path(0);
      assertThat(credential.path("type").asText()).isEqualTo("password");
      assertThat(credential.path("value").asText()).isEqualTo(LoadUser.PASSWORD);
      assertThat(credential.path("temporary").asBoolean(true)).isFalse();
      // Without these an account is "not fully set up", and its login is refused.
      assertThat(List.of("email", "firstName", "lastName"))
          .allSatisfy(name -> assertThat(user.path(name).asText()).isNotEmpty());
    }
  }

  @Test
  void client_isPublic_andMayAskByPassword() throws Exception {
    JsonNode client =
        read(new KeycloakRealm("load", KeycloakRealm.Hashing.DEFAULT, USERS))
            .path("clients")
            .path(0);

    assertThat(client.path("clientId").asText()).isEqualTo("load");
    assertThat(client.path("publicClient").asBoolean()).isTrue();
    assertThat(client.path("directAccessGrantsEnabled").asBoolean()).isTrue();
  }

  @Test
  void hashing_isThePolicys_orKeycloaksDefault() throws Exception {
    assertThat(policy(KeycloakRealm.Hashing.DEFAULT)).isEmpty();
    assertThat(policy(KeycloakRealm.Hashing.pbkdf2(12_345)))
        .isEqualTo("hashAlgorithm(pbkdf2-sha512) and hashIterations(12345)");
  }

  @Test
  void tokenRequest_isAFormOfThePasswordGrant_toTheUsersRealm() {
    ServiceApi api = KeycloakRealm.api(9000);
    Caller odd = new Caller.Guess("load-ä", "a&b=c d", "10.0.0.1");

    assertThat(new String(api.loginBody().apply(odd), US_ASCII))
        .isEqualTo("grant_type=password&client_id=load&username=load-%C3%A4&password=a%26b%3Dc+d");
    assertThat(api.contentType()).isEqualTo("application/x-www-form-urlencoded");
    assertThat(api.loginPath().apply(odd)).isEqualTo("/realms/load/protocol/openid-connect/token");
    assertThat(api.loginPath().apply(LoadUser.make("cheap", 1, 4).getFirst()))
        .isEqualTo("/realms/cheap/protocol/openid-connect/token");
  }

  @Test
  void health_isOnTheManagementPort_keysAreNot() {
    ServiceApi api = KeycloakRealm.api(9000);

    assertThat(api.managementPort()).isEqualTo(9000);
    assertThat(api.health()).isEqualTo("/health/live");
    assertThat(api.keys()).isEqualTo("/realms/load/protocol/openid-connect/certs");
  }

  @Test
  void equalCost_isTheQuotientOfTimes_atLeastOne() {
    assertThat(EqualCost.iterations(Duration.ofMillis(65), Duration.ofNanos(500)))
        .isEqualTo(130_000);
    assertThat(EqualCost.iterations(Duration.ofNanos(10), Duration.ofNanos(500))).isOne();
  }

  private static String policy(KeycloakRealm.Hashing hashing) throws Exception {
    return read(new KeycloakRealm("load", hashing, USERS)).path("passwordPolicy").asText();
  }

  private static JsonNode read(KeycloakRealm realm) throws Exception {
    JsonNode read = new ObjectMapper().readTree(realm.json());
    assertThat(StreamSupport.stream(read.spliterator(), false)).isNotEmpty();
    return read;
  }
}
