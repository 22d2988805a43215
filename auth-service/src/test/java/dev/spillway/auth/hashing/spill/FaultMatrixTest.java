package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static dev.spillway.auth.hashing.spill.SpillBench.assertComputed;
import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static dev.spillway.auth.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad days, one by one: a digest in time or an honest no in time, and nothing left behind. */
@QuarkusTest
@Timeout(60)
class FaultMatrixTest {
  private static final URI DEAD = URI.create("http://127.0.0.1:1/");
  private final FaultyFunction one = new FaultyFunction();
  private final FaultyFunction two = new FaultyFunction();
  private final FaultyFunction three = new FaultyFunction();

  @AfterEach
  void close() {
    one.close();
    two.close();
    three.close();
  }

  static Stream<Arguments> fastFailures() {
    return Stream.of(
        Arguments.of("500", aResponse().withStatus(500), Reason.UNAVAILABLE),
        Arguments.of("502", aResponse().withStatus(502).withBody("{}"), Reason.UNAVAILABLE),
        Arguments.of(
            "200 with a function error",
            aResponse().withHeader("X-Amz-Function-Error", "Unhandled").withBody("{}"),
            Reason.FUNCTION_ERROR),
        Arguments.of("200 with HTML", aResponse().withBody("<html>"), Reason.MALFORMED),
        Arguments.of(
            "connection reset",
            aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER),
            Reason.UNREACHABLE),
        Arguments.of("403", aResponse().withStatus(403).withBody("{}"), Reason.MISCONFIGURED),
        Arguments.of("429", aResponse().withStatus(429).withBody("{}"), Reason.THROTTLED));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fastFailures")
  void oneOfThree_failsAtOnce_nobodyNotices(
      String name, ResponseDefinitionBuilder fault, Reason reason) throws Exception {
    two.computesIn(Duration.ofMillis(10));
    three.computesIn(Duration.ofMillis(10));
    one.answers(fault);
    try (SpillBench bench = SpillBench.over(one, two, three)) {
      long start = System.nanoTime();
      assertComputed(bench.digests(200, 6));
      int again = reason == Reason.THROTTLED ? SpillBench.pausesSince(start) : 0;
      assertThat(one.calls()).as("black hole").isLessThan(10 + again);
      assertThat(bench.metered("call", "target", "t0", "outcome", reason.label()))
          .isEqualTo(one.calls());
      // For each job of a call.
      assertThat(bench.metered("retries"))
          .isBetween((double) one.calls(), (double) SpillBench.RULES.maxGroup() * one.calls());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fastFailures")
  void theOnlyOne_fails_thatIsSaid_andNothingIsRetriedThere(
      String name, ResponseDefinitionBuilder fault, Reason reason) {
    one.answers(fault);
    try (SpillBench bench = SpillBench.over(one)) {
      assertThat(bench.digest()).isEqualTo(no(reason));
      assertThat(one.calls()).isEqualTo(1);
    }
  }

  @Test
  void oneOfThree_isDead() throws Exception {
    one.hold();
    two.hold();
    try (SpillBench bench =
            new SpillBench(
                SpillBench.RULES, 50, SpillBench.hour(), List.of(DEAD, one.url(), two.url()));
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = caller.submit(() -> bench.digests(200, 12));
      // Calls pile up at the others until one more at the dead one is the lesser load.
      try {
        await().until(() -> bench.metered("cooling", "target", "t0") == 1);
      } finally {
        one.letAll();
        two.letAll();
      }
      assertComputed(answers.get());
      assertThat(bench.metered("call", "target", "t0")).isLessThan(10);
    }
  }

  /**
   * Its share by outstanding calls alone would be 1 in 21 at best, and 1 in 3 of a single caller.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 9})
  void oneOfThree_isTenTimesSlower_andIsGivenNextToNothing(int callers) throws Exception {
    one.computesIn(Duration.ofMillis(50));
    two.computesIn(Duration.ofMillis(50));
    three.computesIn(Duration.ofMillis(50));
    try (SpillBench bench = SpillBench.over(one, two, three)) {
      assertComputed(bench.digests(30, callers));
      int before = one.calls();
      one.computesIn(Duration.ofMillis(500));
      assertComputed(bench.digests(100 * callers, callers));
      // What was slow by chance at the others counts as their load just so.
      double byChance = slow(bench, "t1") + slow(bench, "t2");
      assertThat((double) one.calls() - before).isLessThan(5 * callers + byChance);
    }
  }

  /** Calls that took over four times 50 ms. */
  private static double slow(SpillBench bench, String target) {
    Timer calls = bench.meters.get("spillway.spill.call").tag("target", target).timer();
    return calls.count()
        - Stream.of(calls.takeSnapshot().histogramCounts())
            .filter(upTo -> upTo.bucket(TimeUnit.MILLISECONDS) == 200)
            .mapToDouble(CountAtBucket::count)
            .sum();
  }

  @Test
  void allAreDead_whichIsSaidAtOnce_andNotTriedForEver() throws Exception {
    try (SpillBench bench =
        new SpillBench(SpillBench.RULES, 50, SpillBench.hour(), List.of(DEAD, DEAD, DEAD))) {
      Map<SpillAnswer, Long> answers = counted(bench.digests(200, 1));
      assertThat(answers).containsOnlyKeys(no(Reason.UNREACHABLE), no(Reason.COOLING));
      assertThat(bench.metered("call")).as("three to close each").isEqualTo(9);
      assertThat(bench.metered("refused", "reason", "cooling")).isGreaterThan(190);
    }
  }

  @Test
  void allAreThrottled_theyCountAsFull_notAsBroken() throws Exception {
    Stream.of(one, two, three).forEach(function -> function.fails(429));
    try (SpillBench bench = SpillBench.over(one, two, three)) {
      long start = System.nanoTime();
      Map<SpillAnswer, Long> answers = counted(bench.digests(300, 4));
      double tenths = Duration.ofNanos(System.nanoTime() - start).toMillis() / 100.0;
      assertThat(answers).containsOnlyKeys(no(Reason.THROTTLED), no(Reason.FULL));
      assertThat(bench.metered("call")).isLessThan(3 * (4 + tenths));
      assertThat(bench.metered("cooling")).isZero();
    }
  }

  @Test
  void retries_areAShareOfCalls() throws Exception {
    // Every second call of each fails, so that none is ever left alone.
    for (FaultyFunction function : List.of(one, two, three)) {
      function.server().resetMappings();
      function
          .server()
          .stubFor(
              any(anyUrl())
                  .inScenario("x")
                  .whenScenarioStateIs(Scenario.STARTED)
                  .willReturn(aResponse().withStatus(500))
                  .willSetStateTo("fine"));
      function
          .server()
          .stubFor(
              any(anyUrl())
                  .inScenario("x")
                  .whenScenarioStateIs("fine")
                  .willReturn(aResponse())
                  .willSetStateTo(Scenario.STARTED));
    }
    CoolDown short1 = new CoolDown(Duration.ofMillis(1), Duration.ofMillis(1));
    try (SpillBench bench =
        new SpillBench(SpillBench.RULES, 50, short1, SpillBench.urls(one, two, three))) {
      Map<SpillAnswer, Long> answers = counted(bench.digests(400, 1));
      assertThat(answers).containsKeys(computed(), no(Reason.UNAVAILABLE));
      assertThat(bench.metered("retries")).isBetween(40.0, 50.0);
    }
  }

  @Test
  void hanging_isLate_andThenLeftAlone() throws Exception {
    one.hold();
    try (SpillBench bench = SpillBench.over(one)) {
      for (int i = 0; i < 3; i++) {
        assertThat(bench.digest(Duration.ofSeconds(2))).isEqualTo(no(Reason.LATE));
        assertThat(bench.spill.outstanding()).isZero();
      }
      assertThat(bench.digest()).isEqualTo(no(Reason.COOLING));
    }
  }

  @Test
  void callersWithTooLittleTime_sayNothingAboutTheTarget() {
    one.hold();
    try (SpillBench bench = SpillBench.over(one)) {
      for (int i = 0; i < 5; i++) {
        assertThat(bench.digest(Duration.ofMillis(20))).isEqualTo(no(Reason.LATE));
      }
      one.letAll();
      assertThat(bench.digest()).isEqualTo(computed());
    }
  }

  @Test
  void answerOfImpossibleLength_isNotRead() {
    one.answers(aResponse().withBody("x".repeat(200_000)));
    try (SpillBench bench = SpillBench.over(one)) {
      assertThat(bench.digest()).isEqualTo(no(Reason.MALFORMED));
    }
  }

  @Test
  void coldStart_hasAMetricOfItsOwn() {
    one.computesIn(Duration.ofSeconds(1));
    try (SpillBench bench = SpillBench.over(one)) {
      bench.digest();
      one.computes();
      bench.digest();
      assertThat(bench.metered("cold", "target", "t0")).isEqualTo(1);
    }
  }

  private static Map<SpillAnswer, Long> counted(List<SpillAnswer> answers) {
    return answers.stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
