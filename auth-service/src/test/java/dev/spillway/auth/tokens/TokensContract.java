package dev.spillway.auth.tokens;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;

import dev.spillway.auth.Api;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jws;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Jwk;
import io.jsonwebtoken.security.Jwks;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others can rely on, whatever the algorithm; one subclass and one start for each. */
abstract class TokensContract {
  /** What is for everybody; the probes are tried on their own. */
  private static final Set<String> PUBLIC =
      Set.of(
          "/login",
          "/refresh",
          "/logout",
          "/.well-known/jwks.json",
          "/.well-known/openid-configuration",
          "/probe",
          "/probe/large",
          "/probe/overloaded",
          "/probe/bug",
          "/probe/conflict");

  @Inject TokenIssuer issuer;
  @Inject SigningKeys keys;
  @Inject UserDirectory users;
  SigningKey key;

  abstract SigningAlgorithm algorithm();

  /** Algorithms of the served keys, in order. */
  List<String> published() {
    return List.of(algorithm().joseName());
  }

  @BeforeEach
  void signingKey() {
    key = keys.signing();
  }

  @Test
  void issuedToken_isVerifiedWithTheServedKeys() {
    IssuedToken issued = issue("ann", Set.of("admin", "ops"));

    Jws<Claims> read =
        Jwts.parser()
            .keyLocator(header -> served((String) header.get("kid")).toKey())
            .requireIssuer("http://localhost:8080")
            .requireAudience("spillway")
            .build()
            .parseSignedClaims(issued.jwt());

    assertThat(read.getHeader().getAlgorithm()).isEqualTo(algorithm().joseName());
    Claims claims = read.getPayload();
    assertThat(claims.getSubject()).isEqualTo("ann");
    assertThat(claims.get("groups", List.class)).asList().containsExactlyInAnyOrder("admin", "ops");
    assertThat(claims.getId()).isNotBlank();
    assertThat(claims.keySet())
        .containsExactlyInAnyOrder("iss", "sub", "aud", "iat", "exp", "jti", "groups", "epoch");
    assertThat(issued.expiresIn()).isEqualTo(Duration.ofMinutes(15));
    assertThat(
            Duration.between(claims.getIssuedAt().toInstant(), claims.getExpiration().toInstant()))
        .isEqualTo(issued.expiresIn());
  }

  @Test
  void twoTokens_haveTwoIds() {
    assertThat(issue("ann", Set.of()).jwt()).isNotEqualTo(issue("ann", Set.of()).jwt());
  }

  @Test
  void servedKeys_arePublicAndNamedByThumbprint() {
    Jwk<?> jwk = served(key.kid());

    assertThat(jwk.thumbprint().toString()).isEqualTo(key.kid());
    given()
        .get("/.well-known/jwks.json")
        .then()
        .statusCode(200)
        .contentType("application/json")
        .header("Cache-Control", "public, max-age=300")
        .body("keys.use", everyItem(equalTo("sig")))
        .body("keys.alg", equalTo(published()));
    List<Map<String, Object>> keys =
        given().get("/.well-known/jwks.json").jsonPath().getList("keys");
    assertThat(keys)
        .allSatisfy(
            members ->
                assertThat(members).doesNotContainKeys("d", "p", "q", "dp", "dq", "qi", "k"));
  }

  @Test
  void whatTheClientHas_isNotSentAgain_andPagesOfAnyOriginMayReadIt() {
    for (String path : List.of("/.well-known/jwks.json", "/.well-known/openid-configuration")) {
      String tag = given().get(path).then().statusCode(200).extract().header("ETag");
      given()
          .header("If-None-Match", tag)
          .get(path)
          .then()
          .statusCode(304)
          .header("ETag", tag)
          .header("Cache-Control", "public, max-age=300")
          .header("Access-Control-Allow-Origin", "*")
          .body(emptyString());
      given().header("If-None-Match", "\"other\"").get(path).then().statusCode(200);
    }
  }

  @Test
  void discovery_leadsToTheKeys() {
    given()
        .get("/.well-known/openid-configuration")
        .then()
        .statusCode(200)
        .body("issuer", equalTo("http://localhost:8080"))
        .body("jwks_uri", equalTo("http://localhost:8080/.well-known/jwks.json"))
        .body(
            "id_token_signing_alg_values_supported",
            equalTo(published().stream().distinct().toList()));
  }

  @Test
  void ownToken_opensOwnEndpoints() {
    assertThat(status(issue("ann", Set.of()).jwt(), "/probe/me")).isEqualTo(200);
    assertThat(status(issue("ann", Set.of()).jwt(), "/probe/admin")).isEqualTo(403);
    LoginName boss = new LoginName("boss");
    users.create(new NewUser(boss, "", false, false, Set.of("admin")));
    long epoch = users.find(boss).orElseThrow().epoch();
    String admins = issuer.issue("boss", Set.of("admin"), epoch).jwt();
    assertThat(status(admins, "/probe/admin")).isEqualTo(200);
    assertThat(status(signed(header(), Forge.claims()), "/probe/me")).isEqualTo(200);
  }

  @Test
  void forgedTokens_openNothing() {
    forgeries()
        .forEach((name, token) -> assertThat(status(token, "/probe/me")).as(name).isEqualTo(401));
  }

  /** CVE-2020-15957, CVE-2022-21449 and their kin, wherever a token is read. */
  @Test
  void forgedTokens_openNoEndpointAtAll() {
    Map<String, String> forgeries = forgeries();
    JsonPath api = given().accept("application/json").get("/q/openapi").jsonPath();
    Map<String, Map<String, Map<String, Object>>> paths = api.getMap("paths");
    List<String> guarded = new ArrayList<>();
    paths.forEach(
        (path, operations) ->
            operations.forEach(
                (method, operation) -> {
                  if (PUBLIC.contains(path) || !operation.containsKey("responses")) {
                    return;
                  }
                  guarded.add(method + " " + path);
                  forgeries.forEach(
                      (name, token) ->
                          assertThat(call(method, path, operation, token))
                              .as("%s %s, %s", method, path, name)
                              .isEqualTo(401));
                }));
    assertThat(guarded).contains("get /me", "post /users", "put /users/{id}/password");
  }

  private static int call(String method, String path, Map<String, Object> operation, String token) {
    RequestSpecification request =
        Api.bare().header("Authorization", "Bearer " + token).urlEncodingEnabled(false);
    if (operation.get("requestBody") instanceof Map<?, ?> body) {
      String type = (String) ((Map<?, ?>) body.get("content")).keySet().iterator().next();
      request.contentType(type).body("{}".getBytes(StandardCharsets.UTF_8));
    }
    return request.request(method, path.replaceAll("\\{[^}]*}", "x")).statusCode();
  }

  @Test
  void tokensWithWrongClaims_openNothing() {
    long now = Instant.now().getEpochSecond();
    Map<String, Map<String, Object>> spoilt = new LinkedHashMap<>();
    spoilt.put("expired", Forge.with(Forge.claims(), "exp", now - 1));
    spoilt.put("no exp", Forge.with(Forge.claims(), "exp", null));
    spoilt.put("exp as text", Forge.with(Forge.claims(), "exp", "soon"));
    spoilt.put("from the future", Forge.with(Forge.claims(), "iat", now + 60));
    spoilt.put("no iat", Forge.with(Forge.claims(), "iat", null));
    spoilt.put("not yet", Forge.with(Forge.claims(), "nbf", now + 60));
    spoilt.put("other issuer", Forge.with(Forge.claims(), "iss", "http://localhost:8080/"));
    spoilt.put("no issuer", Forge.with(Forge.claims(), "iss", null));
    spoilt.put("other audience", Forge.with(Forge.claims(), "aud", "Spillway"));
    spoilt.put("no audience", Forge.with(Forge.claims(), "aud", null));
    spoilt.put("no subject", Forge.with(Forge.claims(), "sub", null));
    spoilt.forEach(
        (name, claims) ->
            assertThat(status(signed(header(), claims), "/probe/me")).as(name).isEqualTo(401));
  }

  private Map<String, String> forgeries() {
    Map<String, Object> claims = Forge.with(Forge.claims(), "groups", List.of("admin"));
    String good = signed(header(), claims);
    byte[] spki = key.publicKey().getEncoded();
    byte[] pem = KeyPem.write(key.pair()).getBytes(StandardCharsets.US_ASCII);
    Map<String, String> all = new LinkedHashMap<>();
    for (String none : List.of("none", "None", "NONE", "nOnE")) {
      all.put(none, Forge.unsigned(header("alg", none), claims) + ".");
    }
    all.put("no alg", Forge.unsigned(header("alg", null), claims) + ".");
    all.put("no signature", good.substring(0, good.lastIndexOf('.') + 1));
    all.put("two parts", good.substring(0, good.lastIndexOf('.')));
    all.put("zeros", Forge.withSignature(Forge.unsigned(header(), claims), new byte[64]));
    all.put("HMAC, SPKI", Forge.hmac(header("alg", "HS256"), claims, spki));
    all.put("HMAC, PEM", Forge.hmac(header("alg", "HS256"), claims, pem));
    for (SigningAlgorithm other : SigningAlgorithm.values()) {
      SigningKey own = ownKey(other);
      Map<String, Object> header = header("alg", other.joseName());
      Map<String, Object> jwk = own.toJwk().toParams(OutputControlLevel.PUBLIC_ONLY);
      all.put("own key, our kid, " + other, sign(header, claims, own));
      all.put("own key and kid, " + other, sign(Forge.with(header, "kid", own.kid()), claims, own));
      all.put("own key as jwk, " + other, sign(Forge.with(header, "jwk", jwk), claims, own));
    }
    for (String member : List.of("jwk", "jku", "x5c", "x5u", "crit", "zip", "b64", "cty")) {
      all.put("signed by us with " + member, signed(header(member, "x"), claims));
    }
    all.put("foreign kid", signed(header("kid", "x"), claims));
    all.put("no kid", signed(header("kid", null), claims));
    all.put(
        "alg in lower case",
        signed(header("alg", algorithm().joseName().toLowerCase(java.util.Locale.ROOT)), claims));
    all.put("claims of another", good.replaceFirst("\\.[^.]*\\.", ".e30."));
    all.put("five parts", "e30.e30.e30.e30.e30");
    all.put("garbage", "x");
    all.put("dots", "..");
    return all;
  }

  private static SigningKey ownKey(SigningAlgorithm algorithm) {
    try {
      return SigningKey.proven(algorithm.generate(), algorithm);
    } catch (UnusableKeyException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, Object> header() {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("typ", "JWT");
    header.put("alg", algorithm().joseName());
    header.put("kid", key.kid());
    return header;
  }

  private Map<String, Object> header(String member, Object value) {
    return Forge.with(header(), member, value);
  }

  private String signed(Map<String, Object> header, Map<String, Object> claims) {
    return sign(header, claims, key);
  }

  private static String sign(
      Map<String, Object> header, Map<String, Object> claims, SigningKey with) {
    return Forge.signed(header, claims, with.algorithm(), with.privateKey());
  }

  IssuedToken issue(String subject, Set<String> groups) {
    return issuer.issue(subject, groups, 0);
  }

  static int status(String token, String path) {
    return given().header("Authorization", "Bearer " + token).get(path).statusCode();
  }

  private static Jwk<?> served(String kid) {
    String json = given().get("/.well-known/jwks.json").asString();
    return Jwks.setParser().build().parse(json).getKeys().stream()
        .filter(jwk -> kid.equals(jwk.getId()))
        .findFirst()
        .orElseThrow();
  }
}
