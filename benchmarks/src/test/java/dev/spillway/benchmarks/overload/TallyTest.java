package dev.spillway.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final Tally tally =
      new Tally(
          new Plan(
              1,
              SECOND,
              2 * SECOND,
              List.of(Traffic.users(new Pace.Open(1))),
              List.of("load-0"),
              "password"));

  /** A login that is sent late, or read late, was late for its user too. */
  @Test
  void latency_countsFromTheMomentItWasDue() {
    tally.sent(0, SECOND, SECOND + 300 * MILLI);
    tally.ended(0, SECOND, SECOND + 500 * MILLI, 200);
    assertThat(users().millis(200, Outcome.Answers::p50Millis)).isEqualTo(500);
    assertThat(tally.late().millis(1)).isEqualTo(300);
  }

  @Test
  void loginsOfTheRamp_haveNoLatencyAndCountIfTheyEndInTheWindow() {
    tally.sent(0, SECOND - 1, SECOND - 1);
    tally.ended(0, SECOND - 1, SECOND + 1, 503);
    assertThat(users().due()).isZero();
    assertThat(users().count(503)).isZero();
    assertThat(users().perSecond(503, 2)).isEqualTo(0.5);
  }

  @Test
  void answersAfterTheWindow_areOfLoginsDueInItAndNotOfItsRate() {
    tally.sent(0, 2 * SECOND, 2 * SECOND);
    tally.ended(0, 2 * SECOND, 4 * SECOND, 200);
    assertThat(users().count(200)).isEqualTo(1);
    assertThat(users().millis(200, Outcome.Answers::maxMillis)).isEqualTo(2000);
    assertThat(users().ended(200)).isZero();
  }

  @Test
  void statuses_areToldApart() {
    for (int status : new int[] {200, 503, 503, Tally.NO_ANSWER, Tally.HUNG_UP, 429}) {
      tally.sent(0, 2 * SECOND, 2 * SECOND);
      tally.ended(0, 2 * SECOND, 2 * SECOND + 10 * MILLI, status);
    }
    assertThat(users().due()).isEqualTo(6);
    assertThat(users().answers())
        .extracting(Outcome.Answers::status)
        .containsExactly(Tally.HUNG_UP, Tally.NO_ANSWER, 200, 429, 503);
    assertThat(users().count(503)).isEqualTo(2);
    assertThat(users().grantedBySecond()).containsExactly(0, 0, 1, 0);
  }

  @Test
  void quantiles_areOfAllThatWereAdded() {
    Tally.Durations durations = new Tally.Durations();
    for (int i = 1000; i > 0; i--) {
      durations.add(i * MILLI);
    }
    assertThat(durations.millis(0.5)).isBetween(500.0, 501.0);
    assertThat(durations.millis(0.99)).isBetween(989.0, 991.0);
    assertThat(durations.millis(1)).isEqualTo(1000);
  }

  private Outcome.Of users() {
    return tally.outcomes().getFirst();
  }
}
