package dev.spillway.auth.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The estimate follows the machine, both ways, and does not start at one slow hash. */
class HashTimesTest {
  private static final Duration USUAL = Duration.ofMillis(20);

  private final HashTimes times = new HashTimes();

  @Test
  void unknown_isNothing() {
    assertThat(times.of(12)).isZero();
  }

  @Test
  void oneCost_tellsOfEvery() {
    times.measured(10, USUAL);
    assertThat(times.of(10)).isEqualTo(USUAL);
    assertThat(times.of(12)).isEqualTo(USUAL.multipliedBy(4));
    assertThat(times.of(9)).isEqualTo(USUAL.dividedBy(2));
  }

  /** A collection of garbage meets a single hash. */
  @Test
  void oneSlowHash_isNotTheMachine() {
    measure(100, USUAL);
    times.measured(10, USUAL.multipliedBy(5));
    assertThat(times.of(10)).isLessThan(USUAL.multipliedBy(2));
  }

  /** A neighbour comes for hours, and goes. */
  @Test
  void slowerAndFasterAgain_isFollowedWithinTwoDozenHashes() {
    measure(100, USUAL);
    for (int time = 0; time < 3; time++) {
      measure(24, USUAL.multipliedBy(10));
      assertThat(times.of(10)).isBetween(USUAL.multipliedBy(9), USUAL.multipliedBy(10));
      measure(10_000, USUAL.multipliedBy(10));
      assertThat(times.of(10)).isBetween(USUAL.multipliedBy(9), USUAL.multipliedBy(10));
      measure(36, USUAL);
      assertThat(times.of(10)).isBetween(USUAL, USUAL.multipliedBy(11).dividedBy(10));
    }
  }

  /** It never becomes what means that nothing is known. */
  @Test
  void hashesOfNoTime_areStillKnown() {
    measure(1_000, Duration.ZERO);
    times.measured(4, Duration.ofNanos(1));
    assertThat(times.of(15)).isPositive();
  }

  private void measure(int hashes, Duration each) {
    for (int i = 0; i < hashes; i++) {
      times.measured(10, each);
    }
  }
}
