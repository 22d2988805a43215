package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The samples of docs/verify-tokens.md let in whom the service gave a token, and nobody else. */
@Timeout(400)
class VerifyTokensIT {
  private static final String PASSWORD = "violet-anvil-42";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path data;
  private static ECKey key;
  private static ECKey foreign;
  private static Instance service;
  private static HttpServer backend;
  private static HttpClient http;
  private static SignedJWT staff;
  private static SignedJWT guest;

  @BeforeAll
  static void start() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).generate();
    foreign = new ECKeyGenerator(Curve.P_256).generate();
    http = HttpClient.newHttpClient();
    Path pem = data.resolve("key.pem");
    Files.writeString(
        pem,
        pem("PRIVATE KEY", key.toPrivateKey().getEncoded())
            + pem("PUBLIC KEY", key.toPublicKey().getEncoded()));
    service =
        Instance.start(
            data,
            Map.of(
                "spillway.data-dir",
                data.toString(),
                "spillway.bootstrap.admin-password",
                PASSWORD,
                "spillway.tokens.key-files",
                pem.toString(),
                "spillway.tokens.issuer",
                "https://login.example",
                "spillway.pool.priority",
                "normal"));
    backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    backend.createContext(
        "/whoami",
        exchange -> {
          String bearer = exchange.getRequestHeaders().getFirst("Authorization");
          byte[] payload = Base64.getUrlDecoder().decode(bearer.split("\\.")[1]);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, payload.length);
          exchange.getResponseBody().write(payload);
          exchange.close();
        });
    backend.start();
    await().atMost(Duration.ofSeconds(90)).until(service::isReady);
    SignedJWT admin = login("admin");
    addUser(admin, "ada", "[\"staff\", \"night\"]");
    addUser(admin, "bob", "[]");
    staff = login("ada");
    guest = login("bob");
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
    backend.stop(0);
    http.close();
  }

  @ParameterizedTest
  @EnumSource(TokenSample.class)
  void sample_letsInWhoHasATokenAndTheGroup(TokenSample sample, @TempDir Path directory)
      throws Exception {
    int port = Running.freePort();
    int spillway = service.uri("/").getPort();
    Process process = sample.start(directory, port, spillway, backend.getAddress().getPort());
    try {
      HttpResponse<String> good = whoami(port, staff.serialize());
      assertThat(good.statusCode()).as(good.body()).isEqualTo(200);
      var body = JSON.readTree(good.body());
      JWTClaimsSet claims = staff.getJWTClaimsSet();
      assertThat(body.get("sub").textValue()).isEqualTo(claims.getSubject());
      assertThat(JSON.convertValue(body.get("groups"), List.class))
          .hasSameElementsAs(claims.getStringListClaim("groups"));

      Map<String, Integer> refusals = new LinkedHashMap<>();
      for (Map.Entry<String, String> each : forged().entrySet()) {
        refusals.put(each.getKey(), whoami(port, each.getValue()).statusCode());
      }
      // Envoy forbids another audience; the others do not know who it is.
      assertThat(refusals).allSatisfy((name, status) -> assertThat(status).as(name).isIn(401, 403));
      assertThat(whoami(port, guest.serialize()).statusCode())
          .isEqualTo(sample.statusWithoutGroup());
      assertThat(whoami(port, staff.serialize()).statusCode()).isEqualTo(200);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      process.waitFor();
    }
  }

  /** What the page prints is what the test above runs, and all that it runs. */
  @Test
  void page_printsTheSamples() throws Exception {
    String page = Files.readString(Running.HOME.resolve("docs/verify-tokens.md"));
    List<String> printed =
        Pattern.compile("^```\\w+\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map((MatchResult block) -> block.group(1))
            .toList();
    try (Stream<Path> files = Files.walk(TokenSample.SOURCES)) {
      List<String> sources =
          files
              .filter(file -> file.toString().matches(".*\\.(java|yaml|properties|js|py|go|conf)"))
              .map(VerifyTokensIT::read)
              .toList();
      assertThat(printed).containsExactlyInAnyOrderElementsOf(sources);
    }
  }

  @Test
  void readme_printsTheConfigurationForSpring() throws Exception {
    String yaml = read(TokenSample.SPRING.source().resolve("src/main/resources/application.yaml"));
    assertThat(Files.readString(Running.HOME.resolve("README.md")))
        .contains(
            "```yaml\n" + yaml.replace("https://login.example", "http://localhost:8080") + "```");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each is the good token but for one thing. Absent is null. */
  private static Map<String, String> forged() throws Exception {
    JWTClaimsSet claims = staff.getJWTClaimsSet();
    JWSHeader header = staff.getHeader();
    Date past = Date.from(Instant.now().minus(Duration.ofMinutes(10)));
    Map<String, String> forged = new LinkedHashMap<>();
    forged.put("none at all", null);
    forged.put("alg none", new PlainJWT(claims).serialize());
    JWSHeader hmac = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(header.getKeyID()).build();
    byte[] publicKey = key.toPublicKey().getEncoded();
    forged.put("HMAC with the public key", signed(hmac, claims, new MACSigner(publicKey)));
    MACSigner asText =
        new MACSigner(pem("PUBLIC KEY", publicKey).getBytes(StandardCharsets.US_ASCII));
    forged.put("HMAC with the public key's PEM", signed(hmac, claims, asText));
    forged.put("foreign key", signed(header, claims, new ECDSASigner(foreign)));
    JWSHeader unknown = new JWSHeader.Builder(header).keyID("unknown").build();
    forged.put("unknown key", signed(unknown, claims, new ECDSASigner(foreign)));
    ECDSASigner ours = new ECDSASigner(key);
    forged.put("expired", signed(header, changed(claims).expirationTime(past).build(), ours));
    forged.put("wrong audience", signed(header, changed(claims).audience("other").build(), ours));
    forged.put(
        "wrong issuer",
        signed(header, changed(claims).issuer("https://other.example").build(), ours));
    String good = staff.serialize();
    forged.put(
        "changed claims",
        good.substring(0, good.indexOf('.') + 1)
            + changed(claims).subject("eve").build().toPayload().toBase64URL()
            + good.substring(good.lastIndexOf('.')));
    return forged;
  }

  private static String pem(String kind, byte[] encoded) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, lines, kind);
  }

  private static JWTClaimsSet.Builder changed(JWTClaimsSet claims) {
    return new JWTClaimsSet.Builder(claims);
  }

  private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer)
      throws JOSEException {
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(signer);
    return token.serialize();
  }

  private static SignedJWT login(String name) throws Exception {
    HttpResponse<String> answer = service.login(name, PASSWORD);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return SignedJWT.parse(Instance.json(answer).get("access_token").textValue());
  }

  private static void addUser(SignedJWT admin, String name, String groups) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(service.uri("/users"))
            .header("Authorization", "Bearer " + admin.serialize())
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"login\": \"%s\", \"password\": \"%s\", \"groups\": %s}"
                        .formatted(name, PASSWORD, groups)))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private static HttpResponse<String> whoami(int port, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/whoami"))
            .timeout(Duration.ofSeconds(30));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
