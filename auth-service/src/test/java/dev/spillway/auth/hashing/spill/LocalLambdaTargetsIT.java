package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import dev.spillway.locallambda.fault.Fault;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three targets, each a local-lambda with processes of its own; the worst comes last. */
@QuarkusTest
@TestProfile(LocalLambdaFaultsIT.ToTheFunction.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class LocalLambdaTargetsIT {
  private static final int CONCURRENCY = 2;
  private static final int CALLS = 200;
  private static final List<LocalLambda> LAMBDAS = new ArrayList<>();
  private static final SpillAnswer RIGHT = right(SpillBench.SETTING);

  @BeforeAll
  static void start() throws IOException {
    for (int i = 0; i < 3; i++) {
      LAMBDAS.add(
          LocalLambda.start(
              LocalLambdaConfig.of(Path.of("..", "template.yaml"))
                  .parameter("Sealing", "no")
                  .concurrency(CONCURRENCY)
                  .build()));
    }
  }

  @AfterAll
  static void stop() {
    LAMBDAS.forEach(LocalLambda::close);
  }

  @ParameterizedTest
  @Order(1)
  @EnumSource(names = {"FAILS_FAST", "THROTTLED_CONCURRENCY", "RESET", "CRASH"})
  void oneOfThree_isInTrouble_andReceivesLittle(Fault fault) throws Exception {
    try (SpillBench bench = bench()) {
      assertAllRight(bench.digests(60, 6));
      double before = bench.metered("call", "target", "t0");
      LAMBDAS.getFirst().inject(fault);

      long start = System.nanoTime();
      assertAllRight(bench.digests(CALLS, 4));

      int again = fault == Fault.THROTTLED_CONCURRENCY ? SpillBench.pausesSince(start) : 0;
      assertThat(bench.metered("call", "target", "t0") - before)
          .as("calls to the one in trouble, of %d", CALLS)
          .isLessThan(CALLS * 0.05 + again);
    } finally {
      LAMBDAS.getFirst().heal();
    }
  }

  /**
   * One caller, whose calls have a core to themselves, and a cost beside which the way there is
   * short. Where the machine holds up a healthy target's call, that one looks slow too, and the
   * slow target may be given one more.
   */
  @Test
  @Order(1)
  void oneOfThree_isTenTimesSlower_andReceivesLittle() {
    BcryptSetting setting = BcryptSetting.parse("$2b$10$CCCCCCCCCCCCCCCCCCCCC.");
    SpillAnswer right = right(setting);
    try (SpillBench bench = bench()) {
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 60; i++) {
        long start = System.nanoTime();
        assertThat(bench.digest(setting)).isEqualTo(right);
        least = Math.min(least, System.nanoTime() - start);
      }
      double before = bench.metered("call", "target", "t0");
      LAMBDAS.getFirst().inject(Fault.SLOW);

      int heldUp = 0;
      for (int i = 0; i < 100; i++) {
        double callsBefore = bench.metered("call", "target", "t0");
        long start = System.nanoTime();
        assertThat(bench.digest(setting)).isEqualTo(right);
        boolean bySlow = bench.metered("call", "target", "t0") > callsBefore;
        heldUp += !bySlow && System.nanoTime() - start > 2 * least ? 1 : 0;
      }

      assertThat(bench.metered("call", "target", "t0") - before)
          .as("calls to the slow one, of 100, of which the machine held up %d others", heldUp)
          .isLessThan(5 + heldUp);
    } finally {
      LAMBDAS.getFirst().heal();
    }
  }

  @Test
  @Order(2)
  void allAreThrottled_whichIsSaid() throws Exception {
    LAMBDAS.forEach(lambda -> lambda.inject(Fault.THROTTLED_RESERVED_CONCURRENCY));
    try (SpillBench bench = bench()) {
      assertThat(new HashSet<>(bench.digests(CALLS, 4)))
          .isSubsetOf(no(Reason.THROTTLED), no(Reason.FULL))
          .contains(no(Reason.THROTTLED));
      assertThat(bench.metered("cooling")).isZero();
    } finally {
      LAMBDAS.forEach(LocalLambda::heal);
    }
  }

  @Test
  @Order(3)
  void oneOfThree_dies_andThenAll() throws Exception {
    try (SpillBench bench = bench()) {
      assertAllRight(bench.digests(60, 6));
      double before = bench.metered("call", "target", "t0");
      LAMBDAS.getFirst().close();

      assertAllRight(bench.digests(CALLS, 4));

      double failed = bench.metered("call", "target", "t0") - before;
      assertThat(failed).isLessThan(CALLS * 0.05);
      assertThat(bench.metered("cooling", "target", "t0")).isEqualTo(failed < 3 ? 0 : 1);

      LAMBDAS.forEach(LocalLambda::close);
      assertThat(new HashSet<>(bench.digests(CALLS, 1)))
          .isSubsetOf(no(Reason.UNREACHABLE), no(Reason.COOLING))
          .contains(no(Reason.COOLING));
      assertThat(bench.metered("cooling")).isEqualTo(3);
    }
  }

  private static SpillBench bench() {
    List<URI> urls =
        LAMBDAS.stream()
            .map(
                lambda ->
                    lambda.endpoint().resolve("/2015-03-31/functions/HashFunction/invocations"))
            .toList();
    return new SpillBench(SpillBench.RULES, CONCURRENCY, SpillBench.hour(), urls);
  }

  private static SpillAnswer right(BcryptSetting setting) {
    return new SpillAnswer.Computed(new SpringDigestEngine().digest(setting, SpillBench.PASSWORD));
  }

  private static void assertAllRight(List<SpillAnswer> answers) {
    assertThat(new HashSet<>(answers)).containsExactly(RIGHT);
  }
}
