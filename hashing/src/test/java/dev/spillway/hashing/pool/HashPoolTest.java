package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits and the line: the other invariants of {@link HashPool} by their numbers. */
@Timeout(30)
class HashPoolTest extends HashPoolFixture {
  /** P1. */
  @Test
  void neverMoreThanSizeRun() throws Exception {
    HashPool pool = pool(2, false);
    List<Future<PoolAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(call(pool, LONG, far()));
    }
    await().until(() -> pool.waiting() == 18 && engine.running.get() == 2);
    assertThat(pool.free()).isZero();
    engine.gate.release(20);
    for (Future<PoolAnswer> answer : answers) {
      assertThat(answer.get()).isInstanceOf(PoolAnswer.Computed.class);
    }
    assertThat(engine.mostRunning).hasValue(2);
    assertThat(pool.free()).isEqualTo(2);
  }

  /** P2: a caller that stops waiting does not free the CPU its hash still uses. */
  @Test
  void deadlinePassingInMidHash_keepsThePermitUntilTheHashEnds() throws Exception {
    HashPool pool = pool(1, false);
    // Its clock stands until the hash runs: no thread comes too late to begin.
    AtomicLong nanos = new AtomicLong();
    Duration left = Duration.ofMillis(50);
    Future<PoolAnswer> answer = call(pool, LONG, Deadline.in(left, nanos::get));
    await().until(() -> engine.running.get() == 1);
    nanos.addAndGet(left.toNanos());

    assertThat(answer.get()).isInstanceOf(PoolAnswer.Late.class);
    assertThat(engine.running).hasValue(1);
    assertThat(pool.free()).isZero();

    engine.gate.release();
    await().until(() -> pool.free() == 1);
  }

  /** P2. */
  @Test
  void engineThatFails_givesThePermitBack() throws Exception {
    HashPool pool = pool(1, false);
    for (Throwable fault :
        List.of(new IllegalArgumentException("fault"), new StackOverflowError("fault"))) {
      engine.fault = fault;
      engine.gate.release();
      Future<PoolAnswer> answer = call(pool, LONG, far());
      assertThatThrownBy(answer::get).hasRootCauseMessage("fault");
      assertThat(pool.free()).isEqualTo(1);
    }
    engine.gate.release();
    assertThat(call(pool, LONG, far()).get())
        .as("the thread survives")
        .isInstanceOf(PoolAnswer.Computed.class);
  }

  /** P3. */
  @Test
  void timedOutInLine_isRefusedAndHoldsNothing() throws Exception {
    HashPool pool = pool(1, false);
    Future<PoolAnswer> first = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);

    assertThat(call(pool, SHORT, far()).get())
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.TIMED_OUT);
              assertThat(refused.waited()).isGreaterThanOrEqualTo(SHORT);
            });
    assertThat(pool.waiting()).isZero();
    engine.gate.release();
    first.get();
    assertThat(pool.free()).isEqualTo(1);
    assertThat(engine.started).hasValue(1);
  }

  /** P3. */
  @Test
  void interruptedInLine_isRefusedAndStaysInterrupted() throws Exception {
    HashPool pool = pool(1, false);
    call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    PoolAnswer[] answer = new PoolAnswer[1];
    boolean[] stillInterrupted = new boolean[1];
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  answer[0] = pool.digest(SETTING, PASSWORD, LONG, far());
                  stillInterrupted[0] = Thread.currentThread().isInterrupted();
                });
    await().until(() -> pool.waiting() == 1);

    caller.interrupt();
    caller.join();

    assertThat(answer[0])
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.ABANDONED));
    assertThat(stillInterrupted[0]).isTrue();
    assertThat(pool.waiting()).isZero();
  }

  /** P4. */
  @Test
  void deadlinePassedBefore_startsNoHash() throws Exception {
    HashPool pool = pool(1, false);
    assertThat(call(pool, LONG, Deadline.in(Duration.ofSeconds(-1))).get())
        .isInstanceOf(PoolAnswer.Refused.class);
    assertThat(engine.started).hasValue(0);
    assertThat(pool.free()).isEqualTo(1);
  }

  /** P4. */
  @Test
  void abandonedInLine_startsNoHash() throws Exception {
    HashPool pool = pool(1, false);
    Future<PoolAnswer> first = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    Deadline deadline = far();
    Future<PoolAnswer> second = call(pool, LONG, deadline);
    await().until(() -> pool.waiting() == 1);

    deadline.abandon();
    engine.gate.release();

    first.get();
    assertThat(second.get())
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.ABANDONED));
    await().until(() -> pool.free() == 1);
    assertThat(engine.started).hasValue(1);
  }

  /** P5. */
  @Test
  void close_refusesTheLineAndWaitsForTheAdmitted() throws Exception {
    HashPool pool = pool(1, false);
    Future<PoolAnswer> admitted = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    Future<PoolAnswer> inLine = call(pool, LONG, far());
    await().until(() -> pool.waiting() == 1);

    Future<?> closing = callers.submit(pool::close);
    await().until(() -> pool.waiting() == 2);
    assertThat(closing.isDone()).isFalse();
    engine.gate.release();
    closing.get();

    assertThat(admitted.get()).isInstanceOf(PoolAnswer.Computed.class);
    assertClosed(inLine.get());
    assertClosed(call(pool, LONG, far()).get());
    assertThat(pool.free()).isEqualTo(1);
    assertThat(engine.started).hasValue(1);
  }

  /** P2: a caller's mistake costs the caller only. */
  @Test
  void noPassword_costsNoPermit() {
    HashPool pool = pool(1, false);
    assertThatThrownBy(() -> pool.digest(SETTING, null, LONG, far()))
        .isInstanceOf(NullPointerException.class);
    assertThat(pool.free()).isEqualTo(1);
  }

  /** The caller that waits for the digest is told, whatever goes wrong with the permit. */
  @Test
  void failureToGiveThePermitBack_leavesNobodyWaiting() throws Exception {
    PoolJob job =
        new PoolJob(
            SETTING,
            PASSWORD,
            () -> false,
            ended -> {
              throw new IllegalStateException("sown");
            });
    DigestResult result = new DigestResult.Digested(GatedEngine.DIGEST);
    assertThatThrownBy(() -> job.end(result)).hasMessage("sown");
    assertThat(job.await(Duration.ofSeconds(1))).isEqualTo(result);
  }

  @Test
  void passwordIsCopied_soThatTheCallerMayWipeIts() throws Exception {
    HashPool pool = pool(1, false);
    engine.gate.release();
    byte[] password = {'s'};
    pool.digest(SETTING, password, LONG, far());
    assertThat(password).containsExactly('s');
  }

  @Test
  void everyRefusalIsCounted() throws Exception {
    HashPool pool = pool(1, false);
    call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    call(pool, SHORT, far()).get();
    assertThat(meters.get("spillway.pool.refused").tag("reason", "timed_out").counter().count())
        .isEqualTo(1);
    assertThat(meters.get("spillway.pool.permits.used").gauge().value()).isEqualTo(1);
  }

  private static void assertClosed(PoolAnswer answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.CLOSED));
  }

  /** P9: somebody in line is a reason not to begin, and no permit is kept. */
  @Test
  void spareWork_isNotBegun_withoutAFreePermit() throws Exception {
    HashPool pool = pool(1, false);
    Future<PoolAnswer> running = call(pool, LONG, far());
    await().until(() -> pool.free() == 0);
    assertThat(pool.digestIfSpare(SETTING, PASSWORD, LONG)).isEmpty();
    engine.gate.release();
    assertThat(running.get()).isInstanceOf(PoolAnswer.Computed.class);
    assertThat(pool.free()).isEqualTo(1);
  }
}
