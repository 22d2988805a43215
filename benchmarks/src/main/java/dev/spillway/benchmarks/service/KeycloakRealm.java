package dev.spillway.benchmarks.service;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A realm as Keycloak imports it at its start: users with passwords, which Keycloak hashes, and a
 * client through which they log in by the password grant (RFC 6749, section 4.3).
 *
 * @param name in its addresses
 */
record KeycloakRealm(String name, Hashing hashing, List<LoadUser> users) {
  /** Of users whose logins are measured. */
  static final String MEASURED = "load";

  /** Of users whose logins warm it up. */
  static final String CHEAP = "cheap";

  private static final String CLIENT = "load";

  /** How Keycloak is to be asked, whose health is told on a port of its own. */
  static ServiceApi api(int managementPort) {
    return new ServiceApi(
        caller -> path(realmOf(caller), "token"),
        "application/x-www-form-urlencoded",
        KeycloakRealm::tokenRequest,
        managementPort,
        "/health/ready",
        "/health/live",
        path(MEASURED, "certs"));
  }

  String json() {
    return Json.write(
        Map.of(
            "realm",
            name,
            "enabled",
            true,
            "sslRequired",
            "none",
            "passwordPolicy",
            hashing.policy(),
            "clients",
            List.of(
                Map.of(
                    "clientId", CLIENT, "publicClient", true, "directAccessGrantsEnabled", true)),
            "users",
            users.stream().map(KeycloakRealm::user).toList()));
  }

  /** With all that Keycloak wants to know before it calls an account set up. */
  private static Map<String, Object> user(LoadUser user) {
    return Map.of(
        "username",
        user.login(),
        "enabled",
        true,
        "emailVerified",
        true,
        "email",
        user.login() + "@example.org",
        "firstName",
        "Load",
        "lastName",
        user.login(),
        "credentials",
        List.of(Map.of("type", "password", "value", user.password(), "temporary", false)));
  }

  private static String realmOf(Caller caller) {
    return caller.login().startsWith(CHEAP) ? CHEAP : MEASURED;
  }

  private static String path(String realm, String endpoint) {
    return "/realms/" + realm + "/protocol/openid-connect/" + endpoint;
  }

  private static byte[] tokenRequest(Caller caller) {
    return "grant_type=password&client_id=%s&username=%s&password=%s"
        .formatted(CLIENT, encoded(caller.login()), encoded(caller.password()))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * How a realm's passwords are hashed.
   *
   * @param policy as Keycloak writes it; nothing for its default
   */
  record Hashing(String policy) {
    /** Argon2id; of version 26.4: 7 MiB, five passes, one lane. */
    static final Hashing DEFAULT = new Hashing("");

    static final Hashing CHEAPEST = pbkdf2(1);

    /** PBKDF2 with HMAC-SHA-512 (RFC 8018). */
    static Hashing pbkdf2(int iterations) {
      return new Hashing("hashAlgorithm(pbkdf2-sha512) and hashIterations(" + iterations + ")");
    }
  }
}
