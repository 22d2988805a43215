package dev.spillway.hashing.spill.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The invariants that {@link Gathering} numbers. */
class GatheringTest {
  @Test
  void jobsFarApart_areNotExpected_aRushIs_untilItsFirstPause() {
    AtomicLong clock = new AtomicLong();
    Gathering gathering = new Gathering(null, null, 3, clock::get);

    assertThat(expected(gathering, clock, 100, Duration.ofMillis(20))).as("G1").isFalse();
    assertThat(expected(gathering, clock, 60, Duration.ofMillis(2))).isTrue();
    assertThat(expected(gathering, clock, 1, Duration.ofMillis(100))).as("G1").isFalse();
  }

  /** After that many jobs, so far apart. */
  private static boolean expected(Gathering gathering, AtomicLong clock, int jobs, Duration gap) {
    boolean expected = false;
    for (int i = 0; i < jobs; i++) {
      clock.addAndGet(gap.toNanos());
      expected = gathering.moreExpected();
    }
    return expected;
  }
}
