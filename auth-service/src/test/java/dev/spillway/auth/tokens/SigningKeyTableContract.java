package dev.spillway.auth.tokens;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spillway.auth.database.BorrowedConnections;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.DatabaseUnavailable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every database must do for the keys; one subclass for each. */
abstract class SigningKeyTableContract {
  private static final Duration WAIT = Duration.ofMinutes(6);
  private static final Duration OVERLAP = Duration.ofMinutes(16);

  @TempDir Path directory;
  private Database database;
  private SigningKeyTable table;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    database = new Database(dataSource());
    table = new SigningKeyTable(database, KeySealing.none(), Clock.systemUTC());
    sql("DELETE FROM signing_keys");
  }

  @Test
  void emptyTable_hasNoRing() throws Exception {
    assertThat(table.read()).isEmpty();
  }

  @Test
  void firstKey_signsAtOnce() throws Exception {
    SigningKey key = generate(SigningAlgorithm.ES256);
    assertThat(table.append(key, 0, Duration.ZERO, OVERLAP)).isTrue();

    KeyRing ring =
        new SigningKeyTable(database, KeySealing.none(), Clock.systemUTC()).read().orElseThrow();

    assertThat(ring.signing(Instant.now()).key()).isEqualTo(key);
    assertThat(ring.newest().retiredAt()).isEqualTo(Instant.MAX);
  }

  @Test
  void successor_waitsAndThenSigns_andThePredecessorStaysForTheOverlap() throws Exception {
    SigningKey first = generate(SigningAlgorithm.RS256);
    SigningKey second = generate(SigningAlgorithm.EDDSA);
    table.append(first, 0, Duration.ZERO, OVERLAP);
    assertThat(table.append(second, 1, WAIT, OVERLAP)).isTrue();

    KeyRing ring = table.read().orElseThrow();
    Instant now = Instant.now();
    RingKey old = ring.keys().getFirst();
    RingKey young = ring.keys().getLast();
    assertThat(ring.signing(now).key()).isEqualTo(first);
    assertThat(ring.signing(now.plus(WAIT)).key()).isEqualTo(second);
    assertThat(Duration.between(young.publishedAt(), young.signsFrom())).isEqualTo(WAIT);
    assertThat(Duration.between(young.signsFrom(), old.retiredAt())).isEqualTo(OVERLAP);
    assertThat(ring.state(old, now)).isEqualTo(KeyState.SIGNING);
    assertThat(ring.state(young, now)).isEqualTo(KeyState.PUBLISHED);
    assertThat(ring.state(old, now.plus(WAIT))).isEqualTo(KeyState.RETIRING);
    assertThat(ring.state(young, now.plus(WAIT))).isEqualTo(KeyState.SIGNING);
    assertThat(ring.find(first.kid())).contains(first);
    assertThat(ring.find(second.kid())).contains(second);
  }

  @Test
  void retiredKey_isReadNoMoreAndDeleted() throws Exception {
    table.append(generate(SigningAlgorithm.ES256), 0, Duration.ZERO, OVERLAP);
    table.append(generate(SigningAlgorithm.ES256), 1, WAIT, OVERLAP);
    assertThat(table.deleteRetired()).isZero();
    pass(WAIT.plus(OVERLAP));

    assertThat(table.read().orElseThrow().keys())
        .extracting(RingKey::generation)
        .containsExactly(2L);
    assertThat(table.deleteRetired()).isEqualTo(1);
    assertThat(table.append(generate(SigningAlgorithm.ES256), 2, WAIT, OVERLAP)).isTrue();
  }

  @Test
  void staleIdeaOfTheNewestKey_changesNothing() throws Exception {
    table.append(generate(SigningAlgorithm.ES256), 0, Duration.ZERO, OVERLAP);
    for (long wrong : new long[] {0, 2}) {
      assertThat(table.append(generate(SigningAlgorithm.ES256), wrong, WAIT, OVERLAP)).isFalse();
    }
    assertThat(table.read().orElseThrow().keys()).hasSize(1);
    assertThat(table.read().orElseThrow().newest().retiredAt()).isEqualTo(Instant.MAX);
  }

  @Test
  void instancesAddingAtOnce_agreeOnOneKey() throws Exception {
    for (long newest = 0; newest < 5; newest++) {
      long before = newest;
      List<Boolean> added =
          atOnce(
              6,
              () ->
                  new SigningKeyTable(database, KeySealing.none(), Clock.systemUTC())
                      .append(generate(SigningAlgorithm.ES256), before, Duration.ZERO, OVERLAP));
      assertThat(added).containsOnlyOnce(true);
      assertThat(table.read().orElseThrow().newest().generation()).isEqualTo(newest + 1);
    }
  }

  /** The database's clock decides: the instance's own may show anything. */
  @Test
  void wrongClock_findsTheSameKey() throws Exception {
    SigningKey first = generate(SigningAlgorithm.ES256);
    table.append(first, 0, Duration.ZERO, OVERLAP);
    table.append(generate(SigningAlgorithm.ES256), 1, WAIT, OVERLAP);
    for (long hours : new long[] {-100, 100}) {
      Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofHours(hours));
      KeyRing ring = new SigningKeyTable(database, KeySealing.none(), wrong).read().orElseThrow();
      assertThat(ring.ahead()).isCloseTo(Duration.ofHours(-hours), Duration.ofSeconds(5));
      assertThat(ring.signing(wrong.instant()).key()).isEqualTo(first);
    }
  }

  @Test
  void times_areTheDatabases() throws Exception {
    table.append(generate(SigningAlgorithm.ES256), 0, Duration.ZERO, OVERLAP);
    KeyRing ring =
        new SigningKeyTable(database, KeySealing.none(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
            .read()
            .orElseThrow();
    assertThat(ring.newest().publishedAt()).isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
  }

  /** K1: however late the answer comes, what it says is as old as the question. */
  @Test
  void ring_isAsOldAsTheQuestion() throws Exception {
    table.append(generate(SigningAlgorithm.ES256), 0, Duration.ZERO, OVERLAP);
    Duration late = Duration.ofMinutes(1);
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    Instant asked = now.get();
    DataSource slow =
        BorrowedConnections.atClose(dataSource(), () -> now.updateAndGet(it -> it.plus(late)));
    Clock clock = clock(now);

    KeyRing ring =
        new SigningKeyTable(new Database(slow), KeySealing.none(), clock).read().orElseThrow();

    assertThat(ring.readAt()).isEqualTo(asked);
    assertThat(ring.ahead())
        .as("K2: nobody signs early for it")
        .isCloseTo(late.negated(), Duration.ofSeconds(5));
  }

  /** K2: a key that is being written cannot be read yet, and the wait is for those who read. */
  @Test
  void successor_waitsFromWhenItCanBeRead() throws Exception {
    table.append(generate(SigningAlgorithm.ES256), 0, Duration.ZERO, OVERLAP);
    AtomicReference<Instant> hidden = new AtomicReference<>();
    DataSource watched =
        BorrowedConnections.beforeCommit(
            dataSource(), () -> hidden.compareAndSet(null, databaseTime()));

    assertThat(
            new SigningKeyTable(new Database(watched), KeySealing.none(), Clock.systemUTC())
                .append(generate(SigningAlgorithm.ES256), 1, WAIT, OVERLAP))
        .isTrue();

    RingKey young = table.read().orElseThrow().newest();
    assertThat(young.signsFrom()).isAfterOrEqualTo(hidden.get().plus(WAIT));
  }

  /** K2: an instance that died after it had added a key is stood in for by any other. */
  @Test
  void keyThatWasAddedAndNoMore_isGivenItsTimesByTheNext() throws Exception {
    SigningKey first = generate(SigningAlgorithm.ES256);
    table.append(first, 0, Duration.ZERO, OVERLAP);
    AtomicInteger commits = new AtomicInteger();
    DataSource dying =
        BorrowedConnections.beforeCommit(
            dataSource(),
            () -> {
              if (commits.incrementAndGet() == 2) {
                throw new SQLException("gone", "08006");
              }
              return null;
            });
    assertThatThrownBy(
            () ->
                new SigningKeyTable(new Database(dying), KeySealing.none(), Clock.systemUTC())
                    .append(generate(SigningAlgorithm.ES256), 1, WAIT, OVERLAP))
        .isInstanceOf(DatabaseUnavailable.class);
    KeyRing added = table.read().orElseThrow();
    assertThat(added.keys()).hasSize(2);
    assertThat(added.newest().signsFrom()).isEqualTo(Instant.MAX);
    assertThat(added.state(added.newest(), Instant.now())).isEqualTo(KeyState.PUBLISHED);
    assertThat(added.signing(Instant.now().plus(WAIT)).key()).isEqualTo(first);

    assertThat(table.schedule(WAIT, OVERLAP)).isTrue();

    assertThat(table.schedule(WAIT, OVERLAP)).as("again").isFalse();
    KeyRing ring = table.read().orElseThrow();
    assertThat(ring.newest().signsFrom())
        .isCloseTo(Instant.now().plus(WAIT), within(5, ChronoUnit.SECONDS));
    assertThat(Duration.between(ring.newest().signsFrom(), ring.keys().getFirst().retiredAt()))
        .isEqualTo(OVERLAP);
  }

  private Instant databaseTime() throws SQLException {
    try (Connection connection = dataSource().getConnection();
        Statement ask = connection.createStatement();
        ResultSet row = ask.executeQuery("VALUES (CURRENT_TIMESTAMP)")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  private static Clock clock(AtomicReference<Instant> now) {
    return new Clock() {
      @Override
      public Instant instant() {
        return now.get();
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }

  @Test
  void sealedKey_isReadOnlyByThoseWhoCanOpenIt() throws Exception {
    SigningKeyTable sealed = table(Optional.of("a"), "a");
    SigningKey key = generate(SigningAlgorithm.RS256);
    sealed.append(key, 0, Duration.ZERO, OVERLAP);

    assertThat(stored("pem")).doesNotContain("-----BEGIN");
    assertThat(stored("sealed_with")).isEqualTo("a");
    assertThat(table(Optional.empty(), "b", "a").read().orElseThrow().newest().key())
        .isEqualTo(key);
    assertThatThrownBy(table::read)
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("sealing.keys.a");
  }

  @Test
  void keysInClearOrUnderAnotherKey_areSealed() throws Exception {
    SigningKey key = generate(SigningAlgorithm.ES256);
    table.append(key, 0, Duration.ZERO, OVERLAP);
    assertThat(table.reseal()).isZero();
    assertThat(stored("pem")).contains("-----BEGIN");

    assertThat(table(Optional.of("a"), "a").reseal()).isEqualTo(1);
    assertThat(stored("pem")).doesNotContain("-----BEGIN");
    assertThat(table(Optional.of("a"), "a").reseal()).isZero();
    String underA = stored("pem");
    assertThat(table(Optional.of("b"), "a", "b").reseal()).isEqualTo(1);
    assertThat(stored("pem")).isNotEqualTo(underA);
    assertThat(table(Optional.empty(), "b").read().orElseThrow().newest().key()).isEqualTo(key);
  }

  private SigningKeyTable table(Optional<String> use, String... names) throws Exception {
    Map<String, Path> files = new HashMap<>();
    for (String name : names) {
      files.put(
          name,
          Files.writeString(
              directory.resolve(name),
              Base64.getEncoder().encodeToString(name.repeat(32).getBytes(US_ASCII))));
    }
    return new SigningKeyTable(database, KeySealing.of(files, use), Clock.systemUTC());
  }

  private String stored(String column) {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              var row = statement.executeQuery("SELECT " + column + " FROM signing_keys")) {
            row.next();
            return row.getString(1);
          }
        });
  }

  /** A key for each algorithm was what a database could hold before. */
  @Test
  void keysFromBeforeRotation_areKept() throws Exception {
    Flyway flyway =
        Flyway.configure()
            .dataSource(dataSource())
            .schemas("OLD")
            .cleanDisabled(false)
            .target("2")
            .load();
    flyway.clean();
    flyway.migrate();
    SigningKey first = generate(SigningAlgorithm.RS256);
    SigningKey second = generate(SigningAlgorithm.ES256);
    for (SigningKey key : List.of(second, first)) {
      sql(
          """
          INSERT INTO "OLD".signing_keys (kid, algorithm, pem, created_at)
          VALUES ('%s', '%s', '%s', CURRENT_TIMESTAMP - INTERVAL '%d' HOUR)
          """
              .formatted(
                  key.kid(),
                  key.algorithm().joseName(),
                  KeyPem.write(key.pair()),
                  key == first ? 9 : 3));
    }
    Flyway.configure().dataSource(dataSource()).schemas("OLD").load().migrate();
    sql(
        """
        INSERT INTO signing_keys (generation, kid, algorithm, pem, published_at, signs_from,
          retired_at)
        SELECT generation, kid, algorithm, pem, published_at, signs_from, retired_at
        FROM "OLD".signing_keys
        """);

    KeyRing ring = table.read().orElseThrow();

    assertThat(ring.keys()).extracting(RingKey::key).containsExactly(first, second);
    assertThat(ring.signing(Instant.now()).key()).isEqualTo(second);
    // PostgreSQL adds a day of this machine's time zone, which has 23 or 25 hours twice a year.
    assertThat(ring.keys().getFirst().retiredAt())
        .isCloseTo(Instant.now().plus(1, ChronoUnit.DAYS), within(61, ChronoUnit.MINUTES));
  }

  private static SigningKey generate(SigningAlgorithm algorithm) throws UnusableKeyException {
    return SigningKey.proven(algorithm.generate(), algorithm);
  }

  private static <T> List<T> atOnce(int callers, Callable<T> call) throws Exception {
    CyclicBarrier start = new CyclicBarrier(callers);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          IntStream.range(0, callers)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            start.await();
                            return call.call();
                          }))
              .toList();
      List<T> answers = new java.util.ArrayList<>();
      for (var one : running) {
        answers.add(one.get());
      }
      return answers;
    }
  }

  /** Moves everything that is written down into the past. */
  private void pass(Duration time) {
    String less = " - INTERVAL '%d' SECOND".formatted(time.toSeconds());
    sql(
        "UPDATE signing_keys SET published_at = published_at%s, signs_from = signs_from%s,"
                .formatted(less, less)
            + " retired_at = retired_at%s".formatted(less));
  }

  private void sql(String text) {
    database.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(text);
          }
        });
  }
}
