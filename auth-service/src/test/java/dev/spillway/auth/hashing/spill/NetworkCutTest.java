package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static dev.spillway.auth.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** One of two targets behind a network that is cut without a word, and healed. */
@QuarkusTest
@Timeout(120)
@EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
class NetworkCutTest {
  private static final Duration DEADLINE = Duration.ofMillis(1500);
  private static final int CALLS = 400;

  @Test
  void cut_costsAFewCalls_andIsFoundHealed() throws Exception {
    Optional<String> lacking = Elsewhere.lacking();
    lacking.ifPresent(why -> System.out.println("NetworkCutTest skipped: " + why));
    assumeTrue(lacking.isEmpty(), () -> lacking.orElse(""));
    try (Elsewhere far = Elsewhere.start();
        FaultyFunction near = new FaultyFunction();
        SpillBench bench =
            new SpillBench(
                SpillBench.RULES,
                50,
                new CoolDown(Duration.ofMillis(500), Duration.ofSeconds(1)),
                List.of(far.url(), near.url()))) {
      near.computesIn(Duration.ofMillis(10));
      SpillBench.assertComputed(bench.digests(100, 4));
      double answered = computedFarAway(bench);
      assertThat(answered).isPositive();

      far.cut();
      List<SpillAnswer> answers = bench.digests(CALLS, 4, DEADLINE);
      assertThat(answers).containsOnly(computed(), no(Reason.LATE));
      int late = Collections.frequency(answers, no(Reason.LATE));
      System.out.printf("network cut: %d of %d late%n", late, CALLS);
      assertThat(late).isPositive().isLessThan(CALLS / 20);
      assertThat(bench.spill.outstanding()).isZero();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                bench.digests(4, 4, DEADLINE);
                assertThat(bench.metered("cooling", "target", "t0")).isEqualTo(1);
              });
      assertThat(computedFarAway(bench)).isEqualTo(answered);

      far.heal();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                bench.digests(4, 4, DEADLINE);
                return computedFarAway(bench) > answered;
              });
      assertThat(bench.metered("cooling")).isZero();
      SpillBench.assertComputed(bench.digests(100, 4));
    }
  }

  private static double computedFarAway(SpillBench bench) {
    return bench.metered("call", "target", "t0", "outcome", "computed");
  }
}
