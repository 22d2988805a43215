package dev.spillway.auth.hashing.spend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.database.Database;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every database must do for the ceiling, with two instances of it on one database; one
 * subclass for each. The numbers are those in {@link SpendCeiling}.
 */
abstract class SpendCeilingContract {
  /** One dollar a gigabyte-second, on a gigabyte: a second costs a dollar. */
  private static final String[] A_DOLLAR_A_SECOND = {
    "spillway.spend.gigabyte-second-price", "1",
    "spillway.spend.memory-megabytes", "1024",
    "spillway.spend.call-price", "0",
    "spillway.spend.per-hour", "100",
    "spillway.spend.per-day", "150",
    "spillway.spend.per-minute", "10"
  };

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T00:10:00Z"));
  private final InstantSource clock = now::get;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Database database;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    database = new Database(dataSource());
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

  @Test
  void stopped_stopsEveryInstanceUntilOpened() {
    Instance one = new Instance();
    Instance other = new Instance();
    one.ceiling.open(false);
    assertThat(one.asked(Standing.AT_HOME)).as("at once").isEqualTo("STOPPED");
    other.ceiling.settle();
    assertThat(other.asked(Standing.AT_HOME)).isEqualTo("STOPPED");
    assertThat(meters.get("spillway.spend.stopped").gauge().value()).isOne();
    one.ceiling.open(true);
    other.ceiling.settle();
    assertThat(other.asked(Standing.DOUBTED)).isEqualTo("allowed");
    assertThat(new Instance("spillway.spend.enabled", "false").asked(Standing.AT_HOME))
        .isEqualTo("STOPPED");
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

    Instance(String... keysAndValues) {
      List<String> config = new ArrayList<>(List.of(A_DOLLAR_A_SECOND));
      config.addAll(List.of(keysAndValues));
      ceiling =
          new SpendCeiling(
              ConfigText.read(SpendConfig.class, config.toArray(String[]::new)),
              new Ledger(database, clock),
              calls::get,
              new SpendMeters(meters),
              clock);
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
