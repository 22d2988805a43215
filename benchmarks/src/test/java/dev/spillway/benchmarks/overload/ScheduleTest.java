package dev.spillway.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void openTraffic_comesAtItsRateAndInOrder() {
    Schedule schedule = schedule(Traffic.users(new Pace.Open(1000)));
    List<Long> due = new ArrayList<>();
    while (schedule.nextNanos() != Schedule.NEVER) {
      due.add(schedule.nextNanos());
      assertThat(schedule.take()).isZero();
    }
    assertThat(due).isSorted();
    assertThat(due.size()).isCloseTo(10_000, within(300));
    assertThat(due.getLast()).isLessThan(10 * SECOND);
  }

  /** Nothing but the plan decides when a login is due. */
  @Test
  void sameSeed_givesTheSameTimes() {
    Schedule one = schedule(Traffic.users(new Pace.Open(50)));
    Schedule other = schedule(Traffic.users(new Pace.Open(50)));
    while (one.nextNanos() != Schedule.NEVER) {
      assertThat(one.nextNanos()).isEqualTo(other.nextNanos());
      one.take();
      other.take();
    }
    assertThat(other.nextNanos()).isEqualTo(Schedule.NEVER);
  }

  @Test
  void twoTraffics_areMergedEachAtItsRate() {
    Schedule schedule =
        schedule(
            Traffic.users(new Pace.Open(50)), new Traffic("flood", new Pace.Open(500), 1, true, 0));
    int[] taken = new int[2];
    long before = 0;
    while (schedule.nextNanos() != Schedule.NEVER) {
      assertThat(schedule.nextNanos()).isGreaterThanOrEqualTo(before);
      before = schedule.nextNanos();
      taken[schedule.take()]++;
    }
    assertThat(taken[0]).isCloseTo(500, within(70));
    assertThat(taken[1]).isCloseTo(5000, within(220));
  }

  @Test
  void burst_isDueAllAtOnce() {
    Schedule schedule = schedule(Traffic.users(new Pace.AtOnce(200)));
    for (int i = 0; i < 200; i++) {
      assertThat(schedule.nextNanos()).isZero();
      schedule.take();
    }
    assertThat(schedule.nextNanos()).isEqualTo(Schedule.NEVER);
  }

  @Test
  void clientsThatWait_areNotOfTheSchedule() {
    assertThat(schedule(Traffic.users(new Pace.Closed(3))).nextNanos()).isEqualTo(Schedule.NEVER);
  }

  private static Schedule schedule(Traffic... traffic) {
    return new Schedule(List.of(traffic), 10 * SECOND, 7);
  }
}
