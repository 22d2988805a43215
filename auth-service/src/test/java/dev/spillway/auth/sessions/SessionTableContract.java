package dev.spillway.auth.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserRecord;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every database must do for sessions; one subclass for each. */
abstract class SessionTableContract {
  static final Duration IDLE = Duration.ofHours(2);
  private static final Duration LONGEST = Duration.ofHours(5);

  /** Longer than any test takes. */
  private static final Duration GRACE = Duration.ofMinutes(10);

  private static final Duration WITHIN_GRACE = GRACE.minusMinutes(2);
  private static final Duration AFTER_GRACE = GRACE.plusSeconds(1);
  private static final long EPOCH = 3;

  private Database database;
  SessionTable table;
  private UserRecord user;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    database = new Database(dataSource());
    table = new SessionTable(database, IDLE, LONGEST, GRACE);
    sql("DELETE FROM users");
    sql(
        "INSERT INTO users (id, login, password_hash, legacy, disabled, group_names, created_at,"
            + " updated_at) VALUES (7, 'ann', '', FALSE, FALSE, '', CURRENT_TIMESTAMP,"
            + " CURRENT_TIMESTAMP)");
    user = new UserRecord(7, new LoginName("ann"), "", false, false, Set.of(), EPOCH);
  }

  /** S1. */
  @Test
  void goodSecret_isTakenForItsSuccessor() {
    RefreshSecret first = begin();
    Turn.Taken taken = taken(first);
    assertThat(taken.userId()).isEqualTo(7);
    assertThat(taken.epoch()).isEqualTo(EPOCH);
    assertThat(taken.repeated()).isFalse();
    assertThat(taken.next().sessionId()).isEqualTo(first.sessionId());
    assertThat(taken.next().text()).isNotEqualTo(first.text());
  }

  /** S1. */
  @Test
  void chain_goesOnAndStoresNoMoreThanTheGraceNeeds() {
    RefreshSecret secret = begin();
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      assertThat(all.add(secret.text())).isTrue();
      secret = taken(secret).next();
      pass(AFTER_GRACE);
    }
    assertThat(count("sessions")).isEqualTo(1);
    assertThat(count("spent_secrets")).isEqualTo(1);
  }

  /** S2. */
  @Test
  void secretShownAgainWithinTheGrace_leadsToTheSameSuccessor() {
    RefreshSecret first = begin();
    RefreshSecret second = taken(first).next();
    pass(WITHIN_GRACE);
    Turn.Taken again = taken(first);
    assertThat(again.repeated()).isTrue();
    assertThat(again.next().text()).isEqualTo(second.text());
    assertThat(taken(second).repeated()).isFalse();
  }

  /** S2: the slowest of three requests that a client had under way. */
  @Test
  void secretShownAgain_isLedOverSeveralSteps() {
    RefreshSecret first = begin();
    RefreshSecret second = taken(first).next();
    RefreshSecret third = taken(second).next();
    RefreshSecret fourth = taken(third).next();
    assertThat(taken(first).next().text()).isEqualTo(fourth.text());
    assertThat(taken(second).next().text()).isEqualTo(fourth.text());
    assertThat(taken(third).next().text()).isEqualTo(fourth.text());
  }

  /** S3. */
  @Test
  void secretShownAgainAfterTheGrace_endsTheSession() {
    RefreshSecret first = begin();
    RefreshSecret second = taken(first).next();
    pass(AFTER_GRACE);
    assertThat(table.take(first)).isEqualTo(new Turn.Reused(7));
    assertThat(table.take(second)).isInstanceOf(Turn.Unknown.class);
    assertThat(count("sessions") + count("spent_secrets")).isZero();
  }

  /** S3: the grace runs from the first use; a later one does not lengthen it. */
  @Test
  void graceOfAnOldSecret_isNotThatOfItsSuccessor() {
    RefreshSecret first = begin();
    RefreshSecret second = taken(first).next();
    pass(WITHIN_GRACE);
    taken(second);
    pass(AFTER_GRACE.minus(WITHIN_GRACE));
    assertThat(table.take(first)).isInstanceOf(Turn.Reused.class);
  }

  /** S3: a thief who was quick enough for the grace is found out all the same. */
  @Test
  void thiefWithinTheGrace_isFoundOutByTheNextUse() {
    RefreshSecret stolen = begin();
    RefreshSecret owners = taken(stolen).next();
    RefreshSecret thiefs = taken(stolen).next();
    pass(AFTER_GRACE);
    taken(thiefs);
    pass(AFTER_GRACE);
    assertThat(table.take(owners)).isInstanceOf(Turn.Reused.class);
  }

  /** S3. */
  @Test
  void madeUpSecretOfAKnownSession_endsIt() {
    RefreshSecret first = begin();
    // The session's name takes 21 characters and a bit of the next.
    String forged = first.text().substring(0, 22) + RefreshSecret.random().text().substring(22);
    assertThat(table.take(parse(forged))).isInstanceOf(Turn.Reused.class);
    assertThat(table.take(first)).isInstanceOf(Turn.Unknown.class);
  }

  @Test
  void noGrace_meansOnce() {
    table = new SessionTable(database, IDLE, LONGEST, Duration.ZERO);
    RefreshSecret first = begin();
    taken(first);
    pass(Duration.ofMillis(1));
    assertThat(table.take(first)).isInstanceOf(Turn.Reused.class);
  }

  @Test
  void unknownSession_isUnknown() {
    begin();
    assertThat(table.take(RefreshSecret.random())).isInstanceOf(Turn.Unknown.class);
    assertThat(count("sessions")).isEqualTo(1);
  }

  @Test
  void idleSession_expires() {
    RefreshSecret first = begin();
    pass(IDLE.minusMinutes(1));
    RefreshSecret second = taken(first).next();
    pass(IDLE.minusMinutes(1));
    RefreshSecret third = taken(second).next();
    pass(IDLE.plusSeconds(1));
    assertThat(table.take(third)).isInstanceOf(Turn.Expired.class);
    assertThat(table.take(third)).isInstanceOf(Turn.Unknown.class);
  }

  @Test
  void busySession_endsToo() {
    RefreshSecret secret = begin();
    for (int minutes = 0; minutes + 60 < LONGEST.toMinutes(); minutes += 60) {
      pass(Duration.ofHours(1));
      secret = taken(secret).next();
    }
    pass(Duration.ofHours(1).plusSeconds(1));
    assertThat(table.take(secret)).isInstanceOf(Turn.Expired.class);
  }

  @Test
  void sessionThatIsEnded_isGone() {
    RefreshSecret first = begin();
    RefreshSecret other = begin();
    RefreshSecret second = taken(first).next();
    assertThat(table.delete(first)).isPresent();
    assertThat(table.delete(second)).isEmpty();
    assertThat(table.take(second)).isInstanceOf(Turn.Unknown.class);
    taken(other);
  }

  @Test
  void expiredSessions_areDeletedInBatches() {
    for (int i = 0; i < 7; i++) {
      taken(begin());
    }
    assertThat(table.deleteExpired(3)).isZero();
    pass(IDLE.plusSeconds(1));
    RefreshSecret alive = begin();
    assertThat(table.deleteExpired(3)).isEqualTo(3);
    assertThat(table.deleteExpired(3)).isEqualTo(3);
    assertThat(table.deleteExpired(3)).isEqualTo(1);
    assertThat(table.deleteExpired(3)).isZero();
    assertThat(count("spent_secrets")).isZero();
    taken(alive);
  }

  @Test
  void secrets_areStoredAsHashesOnly() {
    RefreshSecret first = begin();
    RefreshSecret second = taken(first).next();
    String stored = dump("sessions") + dump("spent_secrets");
    assertThat(stored).contains(first.hash(), second.hash());
    for (RefreshSecret secret : List.of(first, second)) {
      assertThat(stored).doesNotContain(secret.text().substring(22));
    }
  }

  /** S1, S2: the first caller gets the successor, the others the same one. */
  @Test
  void manyShowingOneSecretAtOnce_getTheSameSuccessor() throws Exception {
    for (int round = 0; round < 5; round++) {
      RefreshSecret first = begin();
      List<Turn.Taken> all = atOnce(12, first);
      assertThat(all)
          .extracting(taken -> taken.next().text())
          .containsOnly(all.get(0).next().text());
      assertThat(all.stream().filter(taken -> !taken.repeated())).hasSize(1);
      taken(all.get(0).next());
    }
  }

  /** S2: callers that share one place where the secret is kept, and each ask in their own time. */
  @Test
  void callersSharingTheirSecret_neverLoseTheSession() throws Exception {
    var kept = new java.util.concurrent.atomic.AtomicReference<>(begin());
    int callers = 6;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          IntStream.range(0, callers)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            for (int turn = 0; turn < 20; turn++) {
                              kept.set(taken(kept.get()).next());
                            }
                            return null;
                          }))
              .toList();
      for (var one : running) {
        one.get();
      }
    }
    taken(kept.get());
  }

  private List<Turn.Taken> atOnce(int callers, RefreshSecret secret) throws Exception {
    CyclicBarrier start = new CyclicBarrier(callers);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          IntStream.range(0, callers)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            start.await();
                            return taken(secret);
                          }))
              .toList();
      List<Turn.Taken> answers = new ArrayList<>();
      for (var one : running) {
        answers.add(one.get());
      }
      return answers;
    }
  }

  final RefreshSecret begin() {
    RefreshSecret first = RefreshSecret.random();
    table.insert(first, user);
    return first;
  }

  final Turn.Taken taken(RefreshSecret shown) {
    Turn turn = table.take(shown);
    assertThat(turn).isInstanceOf(Turn.Taken.class);
    return (Turn.Taken) turn;
  }

  private static RefreshSecret parse(String text) {
    return RefreshSecret.parse(Secret.of(text)).orElseThrow();
  }

  /** Moves everything that is written down into the past. */
  final void pass(Duration time) {
    String less = " - INTERVAL '%d.%03d' SECOND".formatted(time.toSeconds(), time.toMillisPart());
    sql(
        "UPDATE sessions SET started_at = started_at%s, ends_at = ends_at%s, expires_at = expires_at%s"
            .formatted(less, less, less));
    sql("UPDATE spent_secrets SET spent_at = spent_at" + less);
  }

  private long count(String table) {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              var row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  private String dump(String table) {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              var row = statement.executeQuery("SELECT * FROM " + table)) {
            StringBuilder all = new StringBuilder();
            while (row.next()) {
              for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                all.append(row.getString(i)).append('\n');
              }
            }
            return all.toString();
          }
        });
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
