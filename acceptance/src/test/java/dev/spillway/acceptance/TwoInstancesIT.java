package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two auth-services that know of each other only through their PostgreSQL. */
@Timeout(240)
class TwoInstancesIT {
  private static final String ADMIN_PASSWORD = "first admin's password";
  private static final int CLIENTS = 4;

  @TempDir static Path directory;
  private static EmbeddedPostgres postgres;
  private static List<Instance> instances;

  @BeforeAll
  static void start() throws Exception {
    postgres =
        EmbeddedPostgres.builder()
            .setPort(Running.freePort())
            .setPGStartupWait(Duration.ofMinutes(1))
            .start();
    Map<String, String> config =
        Map.ofEntries(
            Map.entry("spillway.database.kind", "postgresql"),
            Map.entry("spillway.database.url", postgres.getJdbcUrl("postgres", "postgres")),
            Map.entry("spillway.database.username", "postgres"),
            Map.entry("spillway.database.password", "postgres"),
            Map.entry("spillway.database.pool-size", "8"),
            Map.entry("spillway.bootstrap.admin-password", ADMIN_PASSWORD),
            Map.entry("spillway.hashing.cost", "4"),
            Map.entry("spillway.pool.priority", "normal"),
            Map.entry("spillway.tokens.lifetime", "10s"),
            Map.entry("spillway.tokens.jwks-max-age", "2s"),
            Map.entry("spillway.sessions.enabled", "true"),
            // A machine that stands still for a second is no database that does.
            Map.entry("quarkus.datasource.pg.jdbc.acquisition-timeout", "20s"),
            Map.entry("quarkus.datasource.pg.jdbc.additional-jdbc-properties.socketTimeout", "30"));
    instances = List.of(Instance.start(directory, config), Instance.start(directory, config));
    for (Instance instance : instances) {
      await().atMost(Duration.ofSeconds(120)).until(instance::isReady);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (Instance instance : instances) {
      instance.close();
    }
    postgres.close();
  }

  /** Logins at both, verified by those who cache what either serves, until two rotations ended. */
  @Test
  void tokensUnderRotation_areAllVerifiedByThoseWhoCache() throws Exception {
    String first = kids(instances.getFirst()).getFirst();
    assertThat(kids(instances.getLast())).containsExactly(first);
    Set<String> signers = ConcurrentHashMap.newKeySet();
    AtomicInteger verified = new AtomicInteger();
    AtomicInteger rotations = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Instance at = instances.get(i % 2);
        Verifier verifier = new Verifier(instances.get(i / 2));
        clients.add(
            threads.submit(
                () -> {
                  while (signers.size() < 3 || kids(at).contains(first)) {
                    HttpResponse<String> answer = at.login("demo", "demo-password");
                    assertThat(answer.statusCode()).isEqualTo(200);
                    String token = Instance.json(answer).path("access_token").asText();
                    signers.add(verifier.verify(token));
                    for (Instance each : instances) {
                      assertThat(each.get("/me", "Authorization", "Bearer " + token).statusCode())
                          .isEqualTo(200);
                    }
                    verified.incrementAndGet();
                  }
                  return null;
                }));
      }
      while (rotations.get() < 2 && clients.stream().noneMatch(Future::isDone)) {
        int status = rotate(instances.get(rotations.get() % 2));
        assertThat(status).isIn(202, 409);
        rotations.addAndGet(status == 202 ? 1 : 0);
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
    assertThat(signers).hasSizeGreaterThanOrEqualTo(3);
    assertThat(verified).hasValueGreaterThan(50);
    System.out.printf("%d logins under two rotations, none refused%n", verified.get());
  }

  @Test
  void session_goesOnAtEitherAndEndsAtBoth() throws Exception {
    String secret = secret(instances.getFirst().login("demo", "demo-password"));
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      assertThat(seen.add(secret)).isTrue();
      HttpResponse<String> answer = instances.get(i % 2).refresh(secret);
      assertThat(answer.statusCode()).isEqualTo(200);
      secret = secret(answer);
    }
    assertThat(instances.getFirst().post("/logout", Map.of("refresh_token", secret)).statusCode())
        .isEqualTo(204);
    assertThat(instances.getLast().refresh(secret).statusCode()).isEqualTo(401);
  }

  /** One client whose requests go to whichever instance is next. */
  @Test
  void refreshAtOnceAtBoth_keepsTheSession() throws Exception {
    AtomicReference<String> kept =
        new AtomicReference<>(secret(instances.getFirst().login("demo", "demo-password")));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Instance at = instances.get(i % 2);
        clients.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < 15; turn++) {
                    HttpResponse<String> answer = at.refresh(kept.get());
                    assertThat(answer.statusCode()).isEqualTo(200);
                    kept.set(secret(answer));
                  }
                  return null;
                }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
    assertThat(instances.getLast().refresh(kept.get()).statusCode()).isEqualTo(200);
  }

  @Test
  void spentSecret_endsTheSessionAtBoth() throws Exception {
    String first = secret(instances.getFirst().login("demo", "demo-password"));
    String second = secret(instances.getLast().refresh(first));
    sql("UPDATE spent_secrets SET spent_at = spent_at - INTERVAL '1' MINUTE");
    assertThat(instances.getFirst().refresh(first).statusCode()).isEqualTo(401);
    assertThat(instances.getLast().refresh(second).statusCode()).isEqualTo(401);
  }

  /** Logins at both at once, each of which has seen the old hash: nobody is refused for it. */
  @Test
  void betterHash_isStoredOnce_whicheverIsFirst() throws Exception {
    for (int round = 1; round <= 20; round++) {
      double stored = rehashed("stored");
      sql("UPDATE users SET password_hash = replace(password_hash, '$2b$', '$2a$')");
      String old = demoHash();
      assertThat(old).startsWith("$2a$");
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<HttpResponse<String>>> logins = new ArrayList<>();
        for (int i = 0; i < 2 * CLIENTS; i++) {
          Instance at = instances.get(i % 2);
          logins.add(threads.submit(() -> at.login("demo", "demo-password")));
        }
        for (Future<HttpResponse<String>> login : logins) {
          assertThat(login.get().statusCode()).isEqualTo(200);
        }
      }
      // A login while others stand in line leaves the hash to the next one.
      await()
          .until(
              () ->
                  demoHash().startsWith("$2b$")
                      || instances.getFirst().login("demo", "demo-password").statusCode() != 200);
      assertThat(demoHash()).startsWith("$2b$").isNotEqualTo(old.replace("$2a$", "$2b$"));
      await().until(() -> rehashed("stored") > stored);
      assertThat(rehashed("stored")).isEqualTo(stored + 1);
      for (Instance each : instances) {
        assertThat(each.login("demo", "demo-password").statusCode()).isEqualTo(200);
        assertThat(each.login("demo", "demo-passwort").statusCode()).isEqualTo(401);
      }
    }
    assertThat(rehashed("failed")).isZero();
    System.out.printf(
        "20 old hashes at two instances: %.0f stored, %.0f superseded, %.0f skipped%n",
        rehashed("stored"), rehashed("superseded"), rehashed("skipped"));
  }

  private static double rehashed(String outcome) throws Exception {
    double sum = 0;
    for (Instance each : instances) {
      sum += each.metric("spillway_rehash_total", "outcome=\"" + outcome + "\"");
    }
    return sum;
  }

  private static String demoHash() throws Exception {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT password_hash FROM users WHERE login = 'demo'")) {
      row.next();
      return row.getString(1);
    }
  }

  private static void sql(String text) throws Exception {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private static int rotate(Instance at) throws Exception {
    String token = Instance.json(at.login("admin", ADMIN_PASSWORD)).path("access_token").asText();
    return at.post("/keys/rotation", Map.of(), "Authorization", "Bearer " + token).statusCode();
  }

  private static List<String> kids(Instance at) throws Exception {
    List<String> kids = new ArrayList<>();
    for (JsonNode key : Instance.json(at.get("/.well-known/jwks.json")).path("keys")) {
      kids.add(key.path("kid").asText());
    }
    return kids;
  }

  private static String secret(HttpResponse<String> answer) throws Exception {
    return Instance.json(answer).path("refresh_token").asText();
  }

  /** Fetches keys when max-age has passed and at no other time, whatever it meets. */
  private static final class Verifier {
    private static final Pattern MAX_AGE = Pattern.compile("max-age=(\\d+)");

    private final Instance from;
    private DefaultJWTProcessor<SecurityContext> processor;
    private long fetchNanos = System.nanoTime();

    Verifier(Instance from) {
      this.from = from;
    }

    /** The key it is signed with. */
    String verify(String token) throws Exception {
      if (System.nanoTime() - fetchNanos >= 0) {
        // An answer ages from when it was asked for (RFC 9111, section 4.2.3).
        long asked = System.nanoTime();
        HttpResponse<String> answer = from.get("/.well-known/jwks.json");
        Matcher age = MAX_AGE.matcher(answer.headers().firstValue("Cache-Control").orElseThrow());
        fetchNanos =
            asked + (age.find() ? Duration.ofSeconds(Long.parseLong(age.group(1))).toNanos() : 0);
        processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(
            new JWSVerificationKeySelector<>(
                JWSAlgorithm.ES256, new ImmutableJWKSet<>(JWKSet.parse(answer.body()))));
      }
      SignedJWT jwt = SignedJWT.parse(token);
      processor.process(jwt, null);
      return jwt.getHeader().getKeyID();
    }
  }
}
