package dev.spillway.auth.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.DatabaseUnavailable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The numbers are the invariants' in {@link AuditWriter}. */
class AuditWriterTest {
  private static final int ROOM = 1_000;
  private static final String NETWORK = "192.0.2.1/32";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<AuditEntry> table = new ArrayList<>();
  private final List<AuditEntry> log = new ArrayList<>();
  private RuntimeException fault;

  private final AuditWriter writer = writer(this::insert);

  /** A1. */
  @Test
  void addingWhileTheDatabaseHangs_doesNotWait() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    AuditWriter hanging =
        writer(
            entries -> {
              asked.countDown();
              awaitQuietly(answers);
            });
    hanging.add(wrong("ann"));
    Thread clerk = Thread.ofPlatform().start(hanging::write);
    try {
      assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
      // By the thread that would have to be waited for: that it comes to the end is the proof.
      for (int i = 0; i < 2 * ROOM; i++) {
        hanging.add(wrong("ann"));
      }
      assertThat(lost("buffer")).isEqualTo(ROOM);
    } finally {
      answers.countDown();
      clerk.join();
    }
  }

  /** A2, A3. */
  @Test
  void fullBuffer_losesTheNewestAndCountsThem() {
    addWrong(0, ROOM + 7);
    assertThat(waiting()).isEqualTo(ROOM);
    assertThat(lost("buffer")).isEqualTo(7);
    writer.write();
    assertThat(logins()).isEqualTo(named(0, ROOM));
    assertThat(written()).isEqualTo(ROOM);
    assertThat(waiting()).isZero();
  }

  /** A2, A3, A4. */
  @Test
  void databaseThatIsDown_getsWhatHadRoomInOrderWhenItIsBack() {
    fault = unavailable();
    for (int round = 0; round < 3; round++) {
      addWrong(round * ROOM, ROOM);
      writer.write();
      assertThat(waiting()).as("as many as may wait for the database").isEqualTo(ROOM);
    }
    addWrong(3 * ROOM, 7);
    assertThat(waiting()).as("and those that wait for the writer").isEqualTo(ROOM + 7);
    writer.write();
    assertThat(log).as("the log goes on").hasSize(3 * ROOM + 7);
    assertThat(lost("database")).isEqualTo(2 * ROOM + 7);
    assertThat(table).isEmpty();

    fault = null;
    writer.write();
    assertThat(logins()).isEqualTo(named(0, ROOM));
    assertThat(waiting()).isZero();
    assertThat(written() + lost("database") + lost("buffer")).isEqualTo(3 * ROOM + 7);
    assertThat(log).as("each once").hasSize(3 * ROOM + 7);
  }

  /** A3: a bug must not stop what comes after it. */
  @Test
  void batchThatIsRefused_isCountedAndLeftOut() {
    fault = new IllegalStateException("statement refused, on purpose");
    addWrong(0, 3);
    writer.write();
    fault = null;
    addWrong(3, 2);
    writer.write();
    assertThat(lost("refused")).isEqualTo(3);
    assertThat(logins()).isEqualTo(named(3, 2));
  }

  /** A4. */
  @Test
  void decisions_areEachAnEntry() {
    for (int i = 0; i < 5; i++) {
      writer.add(wrong("ann"));
    }
    writer.write();
    assertThat(table).hasSize(5).allMatch(entry -> entry.times() == 1);
  }

  @Test
  void equalAttemptsThatDecidedNothing_shareAnEntry() {
    for (int i = 0; i < 400; i++) {
      writer.add(login("ann", "throttled_by_account"));
      if (i % 4 == 0) {
        writer.add(login("bob", "shed"));
      }
    }
    writer.write();
    assertThat(table).hasSize(2);
    assertThat(table.getFirst().login()).isEqualTo("ann");
    assertThat(table.getFirst().times()).isEqualTo(400);
    assertThat(table.get(1).times()).isEqualTo(100);
    assertThat(written()).isEqualTo(500);
  }

  /** What costs its sender nothing comes under a new name each time. */
  @Test
  void floodUnderManyNames_isAnEntryForItsNetwork() {
    for (int i = 0; i < 100; i++) {
      writer.add(login("u" + i, "impossible_password"));
      writer.add(login("u" + i, "throttled_by_network"));
      writer.add(login("u" + i, "throttled_by_account"));
    }
    writer.add(AuditEvent.of(Action.LOGIN, "ann", "192.0.2.2/32", "impossible_password"));
    writer.write();
    assertThat(table.stream().filter(entry -> entry.outcome().equals("throttled_by_account")))
        .as("each took five guesses to get there")
        .hasSize(100)
        .allMatch(entry -> entry.times() == 1);
    for (String outcome : new String[] {"impossible_password", "throttled_by_network"}) {
      AuditEntry flood =
          table.stream()
              .filter(entry -> entry.outcome().equals(outcome) && entry.network().equals(NETWORK))
              .reduce(
                  (one, other) -> {
                    throw new AssertionError("two of them");
                  })
              .orElseThrow();
      assertThat(flood.times()).isEqualTo(100);
      assertThat(flood.login()).isNull();
      assertThat(flood.loginHmac()).isNull();
    }
    assertThat(table.getLast().login()).as("another network's is its own").isEqualTo("ann");
    assertThat(written()).as("all are counted").isEqualTo(301);
  }

  /** H3: hanging up costs its sender nothing that the audit log could run out of. */
  @Test
  void h3_floodOfClientsThatLeft_isAnEntryForItsNetwork() {
    for (int i = 0; i < 400; i++) {
      writer.add(login("u" + i, "gone"));
    }
    writer.add(login("ann", "gone_after_wrong"));
    writer.add(login("ann", "gone_after_wrong"));
    writer.write();
    assertThat(table).hasSize(3);
    assertThat(table.getFirst().times()).isEqualTo(400);
    assertThat(table.getFirst().login()).isNull();
    assertThat(table.getLast().login()).as("counts against the account").isEqualTo("ann");
    assertThat(table.getLast().times()).isOne();
  }

  @Test
  void impossiblePasswordsOfOneName_keepIt() {
    writer.add(login("ann", "impossible_password"));
    writer.add(login("ann", "impossible_password"));
    writer.write();
    assertThat(table).hasSize(1);
    assertThat(table.getFirst().login()).isEqualTo("ann");
    assertThat(table.getFirst().times()).isEqualTo(2);
  }

  /** It may be a password. */
  @Test
  void whatNamesNoAccount_isKeyed() {
    writer.add(
        new AuditEvent(
            Action.LOGIN, "hunter2", false, null, NETWORK, "no_such_user", AuditEvent.Path.POOL));
    writer.write();
    assertThat(table.getFirst().login()).isNull();
    assertThat(table.getFirst().loginHmac()).hasSize(43);
    assertThat(log.getFirst().toString()).doesNotContain("hunter2");
  }

  @Test
  void overlongTexts_fitTheirColumns() {
    writer.add(
        new AuditEvent(
            Action.LOGIN,
            "x".repeat(4000),
            false,
            null,
            "n".repeat(100),
            "no_such_user",
            AuditEvent.Path.NONE));
    writer.write();
    assertThat(table.getFirst().network()).hasSize(64);
    assertThat(table.getFirst().loginHmac()).hasSize(43);
  }

  private AuditWriter writer(Consumer<List<AuditEntry>> to) {
    return new AuditWriter(
        ROOM,
        AccountNames.of(ConfigText.read(AuditConfig.class)),
        to,
        log::add,
        new AuditMeters(meters),
        () -> Instant.parse("2026-01-31T12:00:00Z"));
  }

  private void insert(List<AuditEntry> entries) {
    if (fault != null) {
      throw fault;
    }
    assertThat(entries).hasSizeLessThanOrEqualTo(AuditWriter.BATCH);
    table.addAll(entries);
  }

  private void addWrong(int from, int count) {
    IntStream.range(from, from + count).forEach(i -> writer.add(wrong("u" + i)));
  }

  private static AuditEvent wrong(String login) {
    return login(login, "wrong_password");
  }

  private static AuditEvent login(String login, String outcome) {
    return AuditEvent.of(Action.LOGIN, login, NETWORK, outcome);
  }

  private List<String> logins() {
    return table.stream().map(AuditEntry::login).toList();
  }

  private static List<String> named(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> "u" + i).toList();
  }

  private double written() {
    return meters.get("spillway.audit.written").counter().count();
  }

  private double lost(String reason) {
    return meters.get("spillway.audit.lost").tag("reason", reason).counter().count();
  }

  private double waiting() {
    return meters.get("spillway.audit.waiting").gauge().value();
  }

  /** As it comes from a database that is not there. */
  private static RuntimeException unavailable() {
    DataSource nowhere =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                  throw new SQLException("down, on purpose", "08001");
                });
    return catchThrowableOfType(
        DatabaseUnavailable.class, () -> new Database(nowhere).run(connection -> 1));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
