package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.PostgresServer;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.Jwts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two instances on one PostgreSQL, with clocks two hours apart, and verifiers that cache keys. */
@Timeout(120)
class KeyRotationTest {
  private static final Duration LIFETIME = Duration.ofSeconds(3);
  private static final Duration TOLERANCE = Duration.ofSeconds(1);
  private static EmbeddedPostgres postgres;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @BeforeAll
  static void start() throws IOException {
    postgres = PostgresServer.start();
    Flyway.configure().dataSource(postgres.getPostgresDatabase()).load().migrate();
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @BeforeEach
  @AfterEach
  void empty() throws Exception {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("DELETE FROM signing_keys");
    }
  }

  @Test
  void tokensUnderRotation_areAllVerifiedByThoseWhoCache() throws Exception {
    rotatesUnnoticed(config(), 2);
  }

  @Test
  void schedule_rotatesOnceForAllInstances() throws Exception {
    rotatesUnnoticed(config("rotation.every", "3s"), 0);
  }

  @Test
  void secondCommand_findsTheFirstUnderWay() throws Exception {
    TokenConfig config = config("jwks-max-age", "1h");
    try (Instance one = new Instance(config, Clock.systemUTC());
        Instance other = new Instance(config, Clock.systemUTC())) {
      assertThat(one.rotation.rotate(AddedRows.nothing()))
          .isInstanceOfSatisfying(
              Rotation.Begun.class,
              begun -> assertThat(begun.key().state()).isEqualTo(KeyState.PUBLISHED));
      assertThat(other.rotation.rotate(AddedRows.nothing())).isInstanceOf(Rotation.UnderWay.class);
      assertThat(one.rotation.rotate(AddedRows.nothing())).isInstanceOf(Rotation.UnderWay.class);
      assertThat(one.keys.ring().keys()).hasSize(2);
      assertThat(meters.get("spillway.tokens.rotation").tag("reason", "command").counter().count())
          .isEqualTo(1);
    }
  }

  /** The instance that began the rotation ended before the key had its times. */
  @Test
  void rotationThatNobodyEnded_isEndedAtTheNextReading() throws Exception {
    try (Instance one = new Instance(config("jwks-max-age", "1h"), Clock.systemUTC())) {
      one.rotation.rotate(AddedRows.nothing());
      assertThat(keysWithTimes()).isEqualTo(2);
      try (var connection = postgres.getPostgresDatabase().getConnection();
          var statement = connection.createStatement()) {
        statement.execute(
            "UPDATE signing_keys SET signs_from = '9999-12-31T00:00:00Z' WHERE generation = 2");
      }
      one.rotation.refresh();
      assertThat(keysWithTimes()).isEqualTo(2);
      assertThat(one.rotation.rotate(AddedRows.nothing())).isInstanceOf(Rotation.UnderWay.class);
    }
  }

  private static long keysWithTimes() throws Exception {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM signing_keys WHERE signs_from < '9999-01-01T00:00:00Z'")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void anotherAlgorithm_isARotationLikeAnyOther() throws Exception {
    String rsa;
    try (Instance before = new Instance(config("algorithm", "RS256"), Clock.systemUTC())) {
      rsa = before.keys.signing().kid();
    }
    TokenConfig config = config("algorithm", "EdDSA", "jwks-max-age", "1h");
    try (Instance one = new Instance(config, Clock.systemUTC());
        Instance other = new Instance(config, Clock.systemUTC())) {
      one.rotation.beginIfAlgorithmChanged(config.algorithm());
      other.rotation.beginIfAlgorithmChanged(config.algorithm());
      assertThat(one.keys.signing().kid()).isEqualTo(rsa);
      assertThat(one.rotation.published())
          .extracting(PublishedKey::algorithm, PublishedKey::state)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("RS256", KeyState.SIGNING),
              org.assertj.core.groups.Tuple.tuple("EdDSA", KeyState.PUBLISHED));
    }
  }

  /**
   * Signs and verifies without a pause until a third key signs and the first is gone.
   *
   * @param commands that begin the rotations, if no schedule does
   */
  private void rotatesUnnoticed(TokenConfig config, int commands) throws Exception {
    long startNanos = System.nanoTime();
    int old = 0;
    int left = commands;
    try (Instance one = new Instance(config, clock(-1));
        Instance other = new Instance(config, clock(1))) {
      String first = one.keys.signing().kid();
      assertThat(other.keys.signing().kid()).isEqualTo(first);
      List<Verifier> verifiers =
          Stream.of(one, other, one, other).map(from -> new Verifier(from, config)).toList();
      ArrayDeque<Aging> aging = new ArrayDeque<>();
      Set<String> signers = new HashSet<>();
      while (signers.size() < 3 || one.keys.ring().find(first).isPresent()) {
        if (left > 0 && one.rotation.rotate(AddedRows.nothing()) instanceof Rotation.Begun) {
          left--;
        }
        for (Instance instance : List.of(one, other)) {
          long bornNanos = System.nanoTime();
          String jwt = instance.issuer.issue("ann", Set.of(), 0).jwt();
          verifiers.forEach(verifier -> signers.add(verifier.verify(jwt)));
          aging.add(new Aging(jwt, bornNanos));
        }
        // Old ones too, in the last moment of their life.
        while (!aging.isEmpty() && aging.peek().age().compareTo(LIFETIME) > 0) {
          Aging oldest = aging.remove();
          verifiers.forEach(verifier -> verifyUnlessTooLate(verifier, oldest));
          old++;
        }
      }
      assertThat(old).isPositive();
      long rotations = one.keys.ring().newest().generation() - 1;
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      assertThat(rotations)
          .isLessThanOrEqualTo(
              commands + config.rotation().every().map(took::dividedBy).orElse(0L));
      assertThat(meters.get("spillway.tokens.keys.read").tag("outcome", "failed").counter().count())
          .isZero();
    }
  }

  /** Its key may be gone once it has ended for the slowest clock: so long may a machine stall. */
  private static void verifyUnlessTooLate(Verifier verifier, Aging token) {
    try {
      verifier.verify(token.jwt());
    } catch (JwtException e) {
      if (token.age().compareTo(LIFETIME.plus(TOLERANCE)) <= 0) {
        throw e;
      }
    }
  }

  /**
   * @param bornNanos not after it was signed
   */
  private record Aging(String jwt, long bornNanos) {
    Duration age() {
      return Duration.ofNanos(System.nanoTime() - bornNanos);
    }
  }

  private static Clock clock(int hoursAhead) {
    return Clock.offset(Clock.systemUTC(), Duration.ofHours(hoursAhead));
  }

  private static TokenConfig config(String... keysAndValues) {
    String[] defaults = {"lifetime", LIFETIME.toSeconds() + "s", "jwks-max-age", "1s"};
    String[] all =
        Stream.concat(Arrays.stream(defaults), Arrays.stream(keysAndValues)).toArray(String[]::new);
    for (int i = 0; i < all.length; i += 2) {
      all[i] = "spillway.tokens." + all[i];
    }
    return ConfigText.read(TokenConfig.class, all);
  }

  /** What of an instance has to do with keys. */
  private final class Instance implements AutoCloseable {
    final SigningKeys keys;
    final KeyRotation rotation;
    final TokenIssuer issuer;
    private final Thread upkeep;

    Instance(TokenConfig config, Clock clock) throws Exception {
      DataSource source = postgres.getPostgresDatabase();
      SigningKeyTable table = new SigningKeyTable(new Database(source), KeySealing.none(), clock);
      RotationTimes times = RotationTimes.of(config, TOLERANCE);
      SigningAlgorithm algorithm = config.algorithm();
      table.append(generate(algorithm), 0, Duration.ZERO, times.overlap());
      keys = new SigningKeys(() -> table.read().orElseThrow(), clock, times.freshFor());
      rotation =
          new KeyRotation(
              keys,
              Optional.of(table),
              times,
              () -> generate(algorithm),
              new KeyMeters(meters, keys));
      issuer = new TokenIssuer(config, keys);
      upkeep =
          Thread.startVirtualThread(
              () -> {
                try {
                  while (true) {
                    Thread.sleep(times.refresh());
                    rotation.refresh();
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    @Override
    public void close() throws InterruptedException {
      upkeep.interrupt();
      upkeep.join();
    }
  }

  /** Fetches the keys when those it has are too old, and at no other time. */
  private static final class Verifier {
    private final Instance from;
    private final Duration maxAge;
    private Map<String, PublicKey> cached = Map.of();
    private long fetchNanos = System.nanoTime();

    Verifier(Instance from, TokenConfig config) {
      this.from = from;
      this.maxAge = config.jwksMaxAge();
    }

    /** The key it is signed with. */
    String verify(String jwt) {
      long nowNanos = System.nanoTime();
      if (nowNanos - fetchNanos >= 0) {
        KeyRing ring = from.keys.ring();
        boolean cacheable = !from.keys.isStale(ring);
        cached =
            ring.keys().stream()
                .map(RingKey::key)
                .collect(Collectors.toMap(SigningKey::kid, SigningKey::publicKey));
        fetchNanos = nowNanos + (cacheable ? maxAge.toNanos() : 0);
      }
      return Jwts.parser()
          .keyLocator(header -> cached.get((String) header.get("kid")))
          .clockSkewSeconds(LIFETIME.toSeconds())
          .build()
          .parseSignedClaims(jwt)
          .getHeader()
          .getKeyId();
    }
  }

  private static SigningKey generate(SigningAlgorithm algorithm) {
    try {
      return SigningKey.proven(algorithm.generate(), algorithm);
    } catch (UnusableKeyException e) {
      throw new AssertionError(e);
    }
  }
}
