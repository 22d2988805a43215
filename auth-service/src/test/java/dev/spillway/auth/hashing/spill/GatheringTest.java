package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The invariants that {@link Gathering} numbers. */
@QuarkusTest
@Timeout(60)
class GatheringTest {
  private static final int JOBS = 200;

  @Test
  void jobsFarApart_areNotExpected_aRushIs_untilItsFirstPause() {
    AtomicLong clock = new AtomicLong();
    Gathering gathering = new Gathering(null, 3, clock::get);

    assertThat(expected(gathering, clock, 100, Duration.ofMillis(20))).as("G1").isFalse();
    assertThat(expected(gathering, clock, 60, Duration.ofMillis(2))).isTrue();
    assertThat(expected(gathering, clock, 1, Duration.ofMillis(100))).as("G1").isFalse();
  }

  /** The rush is over before the last call is full, and it leaves all the same. */
  @Test
  void aRush_travelsInFullCalls_andAllAreAnswered() throws Exception {
    try (FaultyFunction function = new FaultyFunction();
        SpillBench bench =
            new SpillBench(SpillBench.RULES, JOBS, SpillBench.hour(), SpillBench.urls(function));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SpillAnswer>> answers =
          IntStream.range(0, JOBS).mapToObj(i -> callers.submit(() -> bench.digest())).toList();
      for (Future<SpillAnswer> answer : answers) {
        assertThat(answer.get()).as("G3").isEqualTo(computed());
      }
      assertThat(function.jobsOfCalls()).as("G2").contains(3).allMatch(jobs -> jobs <= 3);
      assertThat(bench.spill.outstanding()).as("G3").isZero();
    }
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
