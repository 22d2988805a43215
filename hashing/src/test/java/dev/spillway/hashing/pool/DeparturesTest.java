package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeparturesTest {
  private static final int COST = 10;

  private final AtomicLong now = new AtomicLong(1_000);
  private final Departures departures = new Departures(COST, now::get);

  @Test
  void beforeTheFirst_nothingIsKnown() {
    assertThat(departures.perSecond()).isZero();
    assertThat(departures.timeFor(8, COST)).isZero();
  }

  /** R1. */
  @Test
  void idleTime_doesNotCount() {
    every(Duration.ofMillis(10), 200, true);
    departed(Duration.ofMillis(10), false);
    every(Duration.ofSeconds(1), 20, false);
    assertThat(departures.perSecond()).isCloseTo(100, within(0.1));
  }

  /** R2. */
  @Test
  void otherSpeed_isKnownAfterSixWindows() {
    every(Duration.ofMillis(10), 1_000, true);
    every(Duration.ofMillis(100), 60, true);
    assertThat(departures.perSecond()).isCloseTo(10, within(1.0));
    every(Duration.ofMillis(10), 600, true);
    assertThat(departures.perSecond()).isCloseTo(100, within(10.0));
  }

  /** R3: nothing ends any more, and nobody has to wait for an end to know it. */
  @Test
  void stall_showsWithoutADeparture() {
    every(Duration.ofMillis(10), 1_000, true);
    now.addAndGet(Duration.ofSeconds(6).toNanos());
    assertThat(departures.perSecond()).isLessThan(16);
    every(Duration.ofMillis(10), 600, true);
    assertThat(departures.perSecond()).as("it recovers").isCloseTo(100, within(10.0));
  }

  /** R3: an interval as long as usual is no stall. */
  @Test
  void withinAnInterval_nothingChanges() {
    every(Duration.ofMillis(100), 100, true);
    now.addAndGet(Duration.ofMillis(99).toNanos());
    assertThat(departures.perSecond()).isCloseTo(10, within(0.01));
  }

  /** R4. */
  @Test
  void costs_countByTheirWork() {
    every(Duration.ofMillis(10), 200, true);
    assertThat(departures.timeFor(8, COST)).isBetween(Duration.ofMillis(79), Duration.ofMillis(81));
    assertThat(departures.timeFor(8, COST + 2))
        .isBetween(Duration.ofMillis(319), Duration.ofMillis(321));
    departures.expect(COST + 2);
    assertThat(departures.perSecond()).isCloseTo(25, within(0.1));
    every(Duration.ofMillis(10), 100, true); // they are of the old cost after all
    assertThat(departures.perSecond()).isCloseTo(100, within(2.0));
  }

  @Test
  void afterForgetting_onlyWhatFollowsCounts() {
    every(Duration.ofMillis(100), 20, true);
    departures.forget();
    assertThat(departures.perSecond()).isZero();
    departed(Duration.ofSeconds(5), true);
    every(Duration.ofMillis(10), 20, true);
    assertThat(departures.perSecond()).isCloseTo(100, within(0.1));
  }

  /** R5. */
  @Test
  void abandonedHashes_areNoWorkDone() {
    every(Duration.ofMillis(10), 1_000, true);
    for (int i = 0; i < 1_000; i++) {
      now.addAndGet(Duration.ofMillis(10).toNanos());
      departures.departed(COST, i % 2 == 0, true);
    }
    assertThat(departures.perSecond()).isCloseTo(50, within(2.0));
  }

  private void every(Duration interval, int times, boolean awaited) {
    for (int i = 0; i < times; i++) {
      departed(interval, awaited);
    }
  }

  private void departed(Duration after, boolean awaited) {
    now.addAndGet(after.toNanos());
    departures.departed(COST, true, awaited);
  }
}
