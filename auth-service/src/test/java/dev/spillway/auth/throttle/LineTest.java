package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.database.BorrowedConnections;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.TestDatabase;
import dev.spillway.auth.hashing.spend.Standing;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.hashing.deadline.Deadline;
import inet.ipaddr.IPAddressString;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders of events that a crowd meets once in many runs; one guess goes freely, five are paid. */
@Timeout(60)
class LineTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  private static final String KEY = "key";
  private static final int LIMIT = 5;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Admission.Admitted ADMITTED = new Admission.Admitted();

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final InstantSource clock = now::get;
  private final Tallies elsewhere = tallies(new Database(DATABASE.source()));

  @BeforeEach
  void emptyTable() {
    Flyway.configure().dataSource(DATABASE.source()).load().migrate();
    new Database(DATABASE.source())
        .run(connection -> connection.createStatement().executeUpdate("DELETE FROM login_tallies"));
  }

  /** T1. What was reserved after a free guess ended, and before it was counted, pays for one. */
  @Test
  void reservation_makesNoFreeGuessOfOneMore() {
    wrongElsewhere(3);
    reservedElsewhere(1);
    Line line = line(elsewhere);
    assertThat(take(line)).isEqualTo(ADMITTED);
    long reservedIn = line.pay();
    assertThat(reservedIn).isEqualTo(Tallies.NO_WINDOW);
    assertThat(take(line)).as("the fifth, reserved").isEqualTo(ADMITTED);
    count(line);
    line.end();

    assertThat(line.take(Deadline.in(Duration.ofMillis(200)))).isEqualTo(new Admission.Late());
    assertThat(line.pay()).as("the fifth").isNotEqualTo(Tallies.NO_WINDOW);
  }

  /** T1. */
  @Test
  void lateAnswerOfTheDatabase_hidesNothingThatWasCountedSince() throws Exception {
    wrongElsewhere(3);
    reservedElsewhere(2);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger answers = new AtomicInteger();
    Tallies late =
        tallies(
            new Database(
                BorrowedConnections.atClose(
                    DATABASE.source(),
                    () -> {
                      asked.countDown();
                      answer.await();
                      return answers.incrementAndGet();
                    })));
    Line line = line(late);
    assertThat(take(line)).isEqualTo(ADMITTED);
    Deadline deadline = Deadline.in(LONG);
    FutureTask<Admission> next = new FutureTask<>(() -> line.take(deadline));
    Thread.ofVirtual().start(next);
    asked.await();
    assertThat(line.pay()).isEqualTo(Tallies.NO_WINDOW);
    count(line);
    line.end();
    answer.countDown();

    await().until(() -> answers.get() > 1 || next.isDone());
    deadline.abandon();
    assertThat(next.get()).isEqualTo(new Admission.Late());
  }

  /** T1. What is reserved in one window admits nobody in the next. */
  @Test
  void reservationThatComesAfterItsWindow_isForNobody() {
    Duration window = Duration.ofMinutes(10);
    Instant first = now.get();
    wrongElsewhere(1);
    Tallies late =
        tallies(
            new Database(
                BorrowedConnections.atClose(
                    DATABASE.source(),
                    () -> now.compareAndSet(first, first.plus(window).plusSeconds(1)))));
    Line line = line(late);
    assertThat(take(line)).isEqualTo(ADMITTED);
    assertThat(take(line)).as("in the next window").isEqualTo(ADMITTED);

    assertThat(line.pay()).isEqualTo(now.get().plus(window).toEpochMilli());
    line.end();
  }

  /**
   * A client that hangs up is counted before its place in the line is free: also by one who is held
   * up meanwhile, wherever that is.
   */
  @Test
  void guessSpilledForNobody_countsForWhoeverIsHeldUp() throws Exception {
    for (int at = 1; at <= 8; at++) {
      emptyTable();
      HeldUp held = new HeldUp(at);
      Throttle throttle =
          new Throttle(ConfigText.read(ThrottleConfig.class), 2, elsewhere, () -> {}, 4, held);
      abandon(spilled(throttle, "ann"));
      Attempt leaving = spilled(throttle, "bob");
      FutureTask<Standing> standing =
          new FutureTask<>(
              () -> {
                try (Attempt attempt = begun(throttle, "carl")) {
                  held.use(() -> abandon(leaving));
                  return attempt.standing();
                }
              });
      Thread.ofVirtual().start(standing);

      assertThat(standing.get()).as("held up at its look no. %d", at).isEqualTo(Standing.SUSPECT);
      if (!held.wasUsed()) {
        abandon(leaving);
      }
    }
  }

  /** A clock at which one thread is held up until something has happened, or waits for it. */
  private final class HeldUp implements InstantSource {
    private final int at;
    private final ThreadLocal<AtomicInteger> looks = new ThreadLocal<>();
    private volatile Thread other = Thread.ofPlatform().unstarted(() -> {});

    HeldUp(int at) {
      this.at = at;
    }

    /** By the calling thread, from now on. */
    void use(Runnable what) {
      looks.set(new AtomicInteger());
      other = Thread.ofPlatform().unstarted(what);
    }

    boolean wasUsed() throws InterruptedException {
      boolean used = other.getState() != Thread.State.NEW;
      other.join();
      return used;
    }

    @Override
    public Instant instant() {
      if (looks.get() != null && looks.get().incrementAndGet() == at) {
        other.start();
        await()
            .until(
                () ->
                    other.getState() == Thread.State.WAITING
                        || other.getState() == Thread.State.TERMINATED);
      }
      return now.get();
    }
  }

  private static Attempt spilled(Throttle throttle, String login) {
    Attempt attempt = begun(throttle, login);
    assertThat(attempt.standing()).isNotEqualTo(Standing.SUSPECT);
    return attempt;
  }

  private static void abandon(Attempt attempt) {
    attempt.abandoned();
    attempt.close();
  }

  private static Attempt begun(Throttle throttle, String login) {
    Attempt attempt =
        throttle.attempt(
            login,
            new ClientNetwork(new IPAddressString("192.0.2.1").getAddress(), "192.0.2.1/32"));
    attempt.lookUp();
    assertThat(attempt.admit(Deadline.in(LONG))).isEqualTo(ADMITTED);
    return attempt;
  }

  /** T2. A success ends the count, and what was read before it does not bring it back. */
  @Test
  void lateLookUp_doesNotUndoASuccess() {
    wrongElsewhere(LIMIT);
    Line line = line(elsewhere);
    Tally before = line.tally();
    int since = line.version();
    elsewhere.succeed(KEY);
    line.succeeded();
    line.found(before, since);

    assertThat(take(line)).isEqualTo(ADMITTED);
    line.end();
  }

  private Line line(Tallies tallies) {
    Line line = new Line(KEY, Admission.Limit.ACCOUNT, LIMIT, 1, tallies, clock);
    line.found(elsewhere.read(List.of(KEY)).get(KEY), line.version());
    return line;
  }

  private Admission take(Line line) {
    return line.take(Deadline.in(LONG));
  }

  private void count(Line line) {
    line.counted(wrongElsewhere(1));
  }

  private Tally wrongElsewhere(int times) {
    Tally tally = Tally.NONE;
    for (int i = 0; i < times; i++) {
      tally = elsewhere.fail(List.of(new Tallies.Failure(KEY, null, Tallies.NO_WINDOW))).get(KEY);
    }
    return tally;
  }

  private void reservedElsewhere(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(elsewhere.reserve(KEY, LIMIT).granted()).isTrue();
    }
  }

  private Tallies tallies(Database database) {
    return new Tallies(database, clock, Duration.ofMinutes(10));
  }
}
