package dev.spillway.auth.hashing.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.BorrowedConnections;
import dev.spillway.auth.database.Database;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every database must do for the ceiling, with two instances of it on one database; one
 * subclass for each. The numbers are those in {@link SpendCeiling}.
 */
@Timeout(60)
abstract class SpendCeilingContract {
  private static final String[] CEILINGS = {
    "spillway.spend.per-hour", "100", "spillway.spend.per-day", "150"
  };

  private static final Price A_DOLLAR_A_SECOND = new Price(1e9, 0);
  private static final int PER_MINUTE = 10;

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T00:10:00Z"));
  private final InstantSource clock = now::get;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private volatile boolean away;
  private Database database;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    away = false;
    database =
        new Database(
            BorrowedConnections.atOpen(
                dataSource(),
                () -> {
                  if (away) {
                    throw new SQLException("away", "08001");
                  }
                  return null;
                }));
    sql("DELETE FROM spill_spend");
    sql("UPDATE spill_switch SET stopped = 0");
  }

  @Test
  void farFromEveryCeiling_allButSuspectsSpill() {
    Instance instance = new Instance();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.UNSUSPECTED)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.SUSPECT)).as("M1").isEqualTo("SUSPECT");
    assertThat(refused("suspect")).isOne();
  }

  /** M2, M3: who loses it first, as an hour's money runs out. */
  @Test
  void nearTheCeiling_itIsForThoseWhoAreKnown() {
    Instance instance = new Instance();
    instance.spends(79);
    assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("allowed");
    instance.spends(1);
    assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("SCARCE");
    assertThat(instance.asked(Standing.UNSUSPECTED)).isEqualTo("allowed");
    instance.spends(10);
    assertThat(instance.asked(Standing.UNSUSPECTED)).isEqualTo("SCARCE");
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    instance.spends(10);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    assertThat(share("hour")).isEqualTo(1);
    pass(Duration.ofHours(1));
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).as("in the next hour").isEqualTo("allowed");
    assertThat(share("day")).isCloseTo(100 / 150.0, org.assertj.core.data.Offset.offset(1e-9));
  }

  @Test
  void day_addsUpItsHoursAndEndsAtMidnight() {
    Instance instance = new Instance();
    instance.spends(90);
    pass(Duration.ofHours(1));
    instance.spends(60);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("DAY");
    pass(Duration.ofHours(22));
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("DAY");
    pass(Duration.ofHours(1));
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
  }

  @Test
  void minute_countsHashesOfThisInstance() {
    Instance instance = new Instance();
    for (int i = 0; i < 8; i++) {
      assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("allowed");
    }
    assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("SCARCE");
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.UNSUSPECTED)).isEqualTo("SCARCE");
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("MINUTE");
    assertThat(new Instance().asked(Standing.DOUBTED)).as("another's").isEqualTo("allowed");
    pass(Duration.ofMinutes(1));
    assertThat(instance.asked(Standing.DOUBTED)).isEqualTo("allowed");
  }

  /** M3: what no target took was not spilled, and the minute may be another by then. */
  @Test
  void minute_countsNothingThatWasNotSpilled() {
    Instance instance = new Instance();
    List<Purchase> allowed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      allowed.add(instance.ceiling.ask(Requester.TRUSTED));
    }
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("MINUTE");
    instance.ceiling.notSpilled((Purchase.Allowed) allowed.getFirst(), Requester.TRUSTED);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("MINUTE");
    pass(Duration.ofMinutes(1));
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    instance.ceiling.notSpilled((Purchase.Allowed) allowed.getLast(), Requester.TRUSTED);
    assertThat(instance.ceiling.report().minute()).isOne();
  }

  /** Its network has spilled nothing, then. */
  @Test
  void whoIsRefusedAfterAll_isToldSo() {
    Instance instance = new Instance();
    instance.spends(80);
    AtomicInteger told = new AtomicInteger();
    Requester doubted =
        new Requester() {
          @Override
          public Standing standing() {
            return Standing.DOUBTED;
          }

          @Override
          public void notSpilled() {
            told.incrementAndGet();
          }
        };
    assertThat(instance.ceiling.ask(doubted))
        .isEqualTo(new Purchase.Refused(Purchase.Reason.SCARCE));
    assertThat(told).hasValue(1);
  }

  /** M3, also for those who ask at the same moment. */
  @Test
  void minute_isNotExceededByManyAtOnce() throws Exception {
    Instance instance = new Instance();
    CyclicBarrier together = new CyclicBarrier(200);
    List<Future<String>> asked = new ArrayList<>();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        asked.add(
            askers.submit(
                () -> {
                  together.await();
                  return instance.asked(Standing.AT_HOME);
                }));
      }
    }
    assertThat(asked.stream().map(Future::resultNow).filter("allowed"::equals)).hasSize(10);
    assertThat(refused("minute")).isEqualTo(190);
  }

  /** M2, also for one who is held up while others spill. */
  @Test
  void minute_isLookedAtWhenAHashIsCounted() {
    Instance instance = new Instance();
    Requester doubted =
        () -> {
          for (int i = 0; i < 8; i++) {
            assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
          }
          return Standing.DOUBTED;
        };
    assertThat(instance.ceiling.ask(doubted))
        .isEqualTo(new Purchase.Refused(Purchase.Reason.SCARCE));
  }

  /** M3: one who looked at the clock in the last minute is held up until this one is full. */
  @Test
  void minuteThatIsOver_doesNotComeBack() throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Thread> late = new AtomicReference<>();
    InstantSource stalling =
        () -> {
          Instant seen = now.get();
          if (late.compareAndSet(Thread.currentThread(), null)) {
            looked.countDown();
            awaitUninterruptibly(goOn);
          }
          return seen;
        };
    Instance instance = new Instance(stalling);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    FutureTask<String> lateOne = new FutureTask<>(() -> instance.asked(Standing.AT_HOME));
    late.set(Thread.ofPlatform().unstarted(lateOne));
    late.get().start();
    looked.await();
    pass(Duration.ofMinutes(1));
    List<FutureTask<String>> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      FutureTask<String> one = new FutureTask<>(() -> instance.asked(Standing.AT_HOME));
      others.add(one);
      Thread asker = Thread.ofPlatform().start(one);
      // A thread that waits for the late one is behind it.
      await().until(() -> one.isDone() || asker.getState() == Thread.State.BLOCKED);
    }
    goOn.countDown();
    lateOne.get();
    List<String> answers = new ArrayList<>(List.of(instance.asked(Standing.AT_HOME)));
    for (FutureTask<String> one : others) {
      answers.add(one.get());
    }
    assertThat(answers).filteredOn("allowed"::equals).hasSizeLessThanOrEqualTo(10);
  }

  /** M4. */
  @Test
  void money_isSharedByAllInstances_andSurvivesAStart() {
    Instance one = new Instance();
    Instance other = new Instance();
    one.spends(50);
    other.spends(50);
    assertThat(other.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    one.ceiling.settle();
    assertThat(one.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    Instance started = new Instance();
    started.ceiling.settle();
    assertThat(started.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    assertThat(started.ceiling.report().hour()).isEqualTo(100);
  }

  /** M4: a call is counted a moment before its time is. */
  @Test
  void timeOfACallThatIsCountedAlready_costsTooWhereNoOtherIsMade() {
    Instance instance = new Instance();
    instance.calls.set(new Calls(1, Duration.ZERO));
    instance.ceiling.settle();
    instance.calls.set(new Calls(1, Duration.ofSeconds(100)));
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("HOUR");
  }

  /** M3: whatever keeps it from the ledger. */
  @Test
  void moneyThatCannotBeWrittenDown_isSpentAllTheSame() {
    Instance instance = new Instance();
    instance.spends(50);
    away = true;
    instance.spends(49);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
    instance.spends(1);
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    assertThat(instance.ceiling.report().hour()).isEqualTo(100);
    away = false;
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("HOUR");
    assertThat(instance.ceiling.report().hour()).isEqualTo(100);
    pass(Duration.ofHours(1));
    instance.ceiling.settle();
    assertThat(instance.asked(Standing.AT_HOME)).isEqualTo("allowed");
  }

  /** M4: it asks the ledger before anybody can ask it. */
  @Test
  void instanceThatStarts_knowsTheSwitch() {
    new Instance().ceiling.open(false, AddedRows.nothing());
    SpendWiring wiring = new SpendWiring();
    try {
      SpendCeiling started =
          wiring.ceiling(
              ConfigText.read(SpendConfig.class),
              database,
              new SimpleMeterRegistry(),
              new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
      assertThat(started.ask(Requester.TRUSTED))
          .isEqualTo(new Purchase.Refused(Purchase.Reason.STOPPED));
    } finally {
      wiring.close();
    }
  }

  @Test
  void stopped_stopsEveryInstanceUntilOpened() {
    Instance one = new Instance();
    Instance other = new Instance();
    one.ceiling.open(false, AddedRows.nothing());
    assertThat(one.asked(Standing.AT_HOME)).as("at once").isEqualTo("STOPPED");
    other.ceiling.settle();
    assertThat(other.asked(Standing.AT_HOME)).isEqualTo("STOPPED");
    assertThat(meters.get("spillway.spend.stopped").gauge().value()).isOne();
    one.ceiling.open(true, AddedRows.nothing());
    other.ceiling.settle();
    assertThat(other.asked(Standing.DOUBTED)).isEqualTo("allowed");
  }

  /** 204 ms at 1,769 MB, as docs/capacity.md has it. */
  @Test
  void listPrice_isFiveMillionthsForAHash() {
    Price price = Price.of(ConfigText.read(SpendConfig.class));
    assertThat(price.of(new Calls(1, Duration.ofMillis(204)))).isBetween(4_850L, 4_950L);
    assertThat(price.of(Calls.NONE)).isZero();
  }

  private final class Instance {
    private final AtomicReference<Calls> calls = new AtomicReference<>(Calls.NONE);
    final SpendCeiling ceiling;

    Instance() {
      this(clock);
    }

    Instance(InstantSource minuteClock) {
      ceiling =
          new SpendCeiling(
              ConfigText.read(SpendConfig.class, CEILINGS),
              A_DOLLAR_A_SECOND,
              PER_MINUTE,
              new Ledger(database, clock),
              calls::get,
              new SpendMeters(meters),
              minuteClock);
    }

    void spends(int dollars) {
      calls.updateAndGet(
          all -> new Calls(all.count() + 1, all.took().plus(Duration.ofSeconds(dollars))));
      ceiling.settle();
    }

    String asked(Standing standing) {
      return switch (ceiling.ask(() -> standing)) {
        case Purchase.Allowed allowed -> "allowed";
        case Purchase.Refused(Purchase.Reason reason) -> reason.name();
      };
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  private double refused(String reason) {
    return meters.get("spillway.spend.refused").tag("reason", reason).counter().count();
  }

  /** As the first instance of a test sees it. */
  private double share(String span) {
    return meters.get("spillway.spend.share").tag("span", span).gauge().value();
  }

  private void sql(String statement) {
    database.run(
        connection -> {
          try (Statement update = connection.createStatement()) {
            return update.executeUpdate(statement);
          } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
          }
        });
  }
}
