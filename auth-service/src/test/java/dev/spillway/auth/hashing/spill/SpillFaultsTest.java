package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** T2 and T3: whatever comes back, it is a digest or a reason, and the slot is free again. */
@QuarkusTest
@TestProfile(Spilling.class)
@Timeout(60)
class SpillFaultsTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final BcryptDigest RIGHT =
      new SpringDigestEngine().digest(SpillCalls.SETTING, SpillCalls.PASSWORD);

  private static FakeFunction function;

  @Inject Spill injected;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** New for each test: what happened in one is not held against the function in the next. */
  private Spill spill;

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void forget() {
    spill = SpillCalls.to(Spilling.MAX_OUTSTANDING, meters, Spilling.endpoint());
    function.forget();
    function.computes();
  }

  @AfterEach
  void everySlotIsFree() {
    assertThat(spill.outstanding()).isZero();
    function.computes();
    awaitAll(1);
  }

  @Test
  void rightAnswer_isTheDigest() {
    assertThat(call()).isEqualTo(new SpillAnswer.Computed(RIGHT));
    assertThat(calls("computed")).isEqualTo(1);
    assertThat(injected.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG)))
        .isEqualTo(new SpillAnswer.Computed(RIGHT));
  }

  @Test
  void answersToOthersBesidesOurs_arePassedOver() {
    function.answers(
        (job, digest) ->
            FakeFunction.results(
                FakeFunction.result("other", ".".repeat(31)),
                FakeFunction.result(job.id(), digest)));
    assertThat(call()).isEqualTo(new SpillAnswer.Computed(RIGHT));
  }

  @ParameterizedTest
  @EnumSource(Faults.class)
  void fault_isAReasonAndNoDigest(Faults fault) {
    long before = calls(fault.reason().label());
    fault.provoke(function);

    try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
      assertThat(call()).isEqualTo(new SpillAnswer.NoDigest(fault.reason()));
      assertThat(log.lines())
          .as("counted, and logged only what AWS says, or an operator must cure")
          .hasSize(
              switch (fault.reason()) {
                case MISCONFIGURED, UNAVAILABLE, REJECTED, SEAL_REFUSED -> 1;
                default -> 0;
              });
    }
    assertThat(calls(fault.reason().label()) - before).as("counted").isEqualTo(1);
    assertThat(function.requests()).as("not tried again, not redirected").hasSizeLessThan(2);
  }

  /** Errors that nobody reads to the end must not eat the connections. */
  @ParameterizedTest
  @EnumSource(
      value = Faults.class,
      names = {"UNAVAILABLE", "THROTTLED", "HUGE", "RESET", "FUNCTION_ERROR"})
  void manyFaultsAtOnce_leaveEveryConnectionUsable(Faults fault) throws Exception {
    fault.provoke(function);
    List<Future<SpillAnswer>> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 500; i++) {
        answers.add(callers.submit(this::call));
      }
    }
    int reached = 0;
    for (Future<SpillAnswer> answer : answers) {
      assertThat(answer.get())
          .isIn(
              new SpillAnswer.NoDigest(fault.reason()),
              new SpillAnswer.NoDigest(SpillAnswer.Reason.COOLING),
              new SpillAnswer.NoDigest(SpillAnswer.Reason.FULL));
      reached += answer.get().equals(new SpillAnswer.NoDigest(fault.reason())) ? 1 : 0;
    }
    assertThat(reached).isPositive();
    assertThat(spill.outstanding()).isZero();

    function.computes();
    awaitAll(Spilling.MAX_OUTSTANDING);
  }

  /**
   * Once it is trusted again, calls as many as there are slots are answered at once. After a
   * throttle each time that they are not brings it one slot more.
   */
  private void awaitAll(int count) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(50))
        .untilAsserted(
            () -> {
              List<Future<SpillAnswer>> answers = new ArrayList<>();
              try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < count; i++) {
                  answers.add(callers.submit(this::call));
                }
              }
              for (Future<SpillAnswer> answer : answers) {
                assertThat(answer.get()).isEqualTo(new SpillAnswer.Computed(RIGHT));
              }
            });
  }

  @Test
  void passedDeadline_makesNoCall() {
    assertThat(spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(Duration.ZERO)))
        .isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.LATE));
    assertThat(function.requests()).isEmpty();
  }

  private SpillAnswer call() {
    return spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));
  }

  private long calls(String outcome) {
    return meters.find("spillway.spill.call").tag("outcome", outcome).timers().stream()
        .mapToLong(Timer::count)
        .sum();
  }
}
