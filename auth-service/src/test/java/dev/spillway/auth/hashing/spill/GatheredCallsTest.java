package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that gather jobs, over HTTP; the numbers are the invariants of {@code Gathering}. */
@QuarkusTest
@Timeout(60)
class GatheredCallsTest {
  private static final int JOBS = 200;

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
}
