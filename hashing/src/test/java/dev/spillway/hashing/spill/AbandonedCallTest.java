package dev.spillway.hashing.spill;

import static dev.spillway.hashing.spill.SpillBench.computed;
import static dev.spillway.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C4 of a call, see {@code Call}. */
@Timeout(60)
class AbandonedCallTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  /** H2: the function goes on when its caller has left, and is paid for. */
  @Test
  void h2_abandonedCall_keepsItsSlotAndIsCountedAsLongAsItTakes() throws Exception {
    HeldFunction function = new HeldFunction();
    try (SpillBench bench = new SpillBench(SpillRules.USUAL, 50, function);
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      function.computesIn(Duration.ofSeconds(2));
      assertThat(bench.digest()).isEqualTo(computed());
      Deadline deadline = Deadline.in(LONG);
      int before = function.calls();
      Future<SpillAnswer> left =
          caller.submit(
              () ->
                  deadline.interruptibly(
                      () -> bench.spill.digest(SpillBench.SETTING, SpillBench.PASSWORD, deadline)));
      await().until(() -> function.calls() > before);
      deadline.abandon();
      assertThat(left.get()).isEqualTo(no(Reason.LATE));
      assertThat(bench.spill.outstanding()).as("the environment is busy").isOne();
      await().until(() -> bench.spill.outstanding() == 0);
      assertThat(
              bench
                  .meters
                  .get("spillway.spill.call")
                  .tag("outcome", "late")
                  .timer()
                  .totalTime(TimeUnit.MILLISECONDS))
          .as("paid for to its end")
          .isGreaterThan(1_500);
    }
  }
}
