package dev.spillway.auth.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.lanes.LaneDigestEngine;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The invariants of {@link HashPool} by its numbers, with hashes that end when told to. */
@Timeout(30)
class HashPoolTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");

  /** The engine makes no difference; the pool expects a hash of 64 times the time. */
  private static final BcryptSetting SLOW = BcryptSetting.parse("$2b$10$CCCCCCCCCCCCCCCCCCCCC.");

  /** As SLOW, of 256 times the time. */
  private static final BcryptSetting SLOWER = BcryptSetting.parse("$2b$12$CCCCCCCCCCCCCCCCCCCCC.");

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final byte[] PASSWORD = {'p'};

  private final GatedEngine engine = new GatedEngine();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<HashPool> pools = new ArrayList<>();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  /** Where hash threads wait that are not to begin before a test says so. */
  private final Semaphore start = new Semaphore(0);

  @AfterEach
  void letEverythingEnd() {
    start.release(1_000);
    engine.gate.release(1_000);
    pools.forEach(HashPool::close);
    callers.close();
  }

  /** Closed only after the gate is open: closing waits for what runs. */
  private HashPool pool(int threads, boolean refuseKnownWaits) {
    return pool(threads, refuseKnownWaits, () -> {});
  }

  private HashPool pool(int threads, boolean refuseKnownWaits, Runnable onThread) {
    HashPool pool = new HashPool(engine, threads, refuseKnownWaits, onThread, meters);
    pools.add(pool);
    return pool;
  }

  private Future<PoolAnswer> call(HashPool pool, Duration enqueueTimeout, Deadline deadline) {
    return call(pool, SETTING, enqueueTimeout, deadline);
  }

  private Future<PoolAnswer> call(
      HashPool pool, BcryptSetting setting, Duration enqueueTimeout, Deadline deadline) {
    return callers.submit(() -> pool.digest(setting, PASSWORD, enqueueTimeout, deadline));
  }

  private static Deadline far() {
    return Deadline.in(LONG);
  }

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

  /** P6. */
  @Test
  void knownWaitBeyondTheTimeout_isRefusedAtOnce() throws Exception {
    HashPool pool = pool(1, true);
    Future<PoolAnswer> slow = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    await().pollDelay(Duration.ofMillis(200)).until(() -> true); // makes a hash of 200 ms
    engine.gate.release();
    slow.get();
    assertThat(pool.hashTime(4)).isGreaterThan(Duration.ofMillis(150));

    call(pool, SLOW, LONG, far());
    await().until(() -> engine.running.get() == 1);
    Duration tooShort = Duration.ofSeconds(4); // for more than 9.6 less what has passed
    assertThat(call(pool, SLOW, tooShort, far()).get())
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.LINE_TOO_LONG);
              assertThat(refused.waited()).isLessThan(tooShort);
            });
    Duration hour = Duration.ofHours(1);
    Future<PoolAnswer> patient = call(pool, SLOW, hour, Deadline.in(hour));
    await().until(() -> pool.waiting() == 1);
    engine.gate.release(2);
    assertThat(patient.get()).isInstanceOf(PoolAnswer.Computed.class);
  }

  /** P8: a machine that has become slow is not handed what it cannot finish, except to find out. */
  @Test
  void hashThatCannotEndInTime_isRefused_unlessNoOtherRuns() throws Exception {
    HashPool pool = pool(2, false);
    engine.gate.release();
    call(pool, LONG, far()).get();
    Future<PoolAnswer> held = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);
    await().pollDelay(Duration.ofMillis(300)).until(() -> true); // makes this hash a slow one
    engine.gate.release();
    held.get();
    assertThat(pool.hashTime(4)).isGreaterThan(Duration.ofMillis(30));

    Duration tooShort = Duration.ofSeconds(5); // for more than 7.5
    Future<PoolAnswer> alone = call(pool, SLOWER, LONG, Deadline.in(tooShort));
    await().until(() -> engine.running.get() == 1);
    assertThat(call(pool, SLOWER, LONG, Deadline.in(tooShort)).get())
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.TOO_SLOW));
    Future<PoolAnswer> patient = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 2);
    engine.gate.release(2);
    alone.get();
    assertThat(patient.get()).isInstanceOf(PoolAnswer.Computed.class);
  }

  /** P7. */
  @Test
  void anotherEngine_bringsAndTakesPermitsByItsLanes() throws Exception {
    HashPool pool = pool(2, false);
    Future<PoolAnswer> running = call(pool, LONG, far());
    await().until(() -> engine.running.get() == 1);

    pool.use(new LaneDigestEngine(3));
    assertThat(pool.size()).isEqualTo(6);
    assertThat(pool.free()).isEqualTo(5);
    pool.use(new LaneDigestEngine(2));
    assertThat(pool.size()).isEqualTo(4);
    assertThat(pool.free()).isEqualTo(3);

    engine.gate.release();
    running.get();
    assertThat(pool.free()).isEqualTo(4);
    assertThat(call(pool, LONG, far()).get()).isInstanceOf(PoolAnswer.Computed.class);
    assertThat(engine.started).as("the new engine computes").hasValue(1);
  }

  /** P7: fewer lanes wait for the permits that are out. */
  @Test
  void fewerLanes_waitForPermitsToComeBack() throws Exception {
    HashPool pool = pool(1, false, start::acquireUninterruptibly);
    pool.use(new LaneDigestEngine(2));
    List<Future<PoolAnswer>> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      both.add(call(pool, LONG, far()));
    }
    await().until(() -> pool.free() == 0);

    Future<?> fewer = callers.submit(() -> pool.use(new LaneDigestEngine(1)));
    await().until(() -> pool.waiting() == 1);
    assertThat(pool.size()).isEqualTo(2);
    start.release();
    fewer.get();

    assertThat(meters.get("spillway.pool.hash").tag("outcome", "digested").timer().count())
        .as("hashes that had ended when it returned")
        .isPositive();
    for (Future<PoolAnswer> one : both) {
      assertThat(one.get()).isInstanceOf(PoolAnswer.Computed.class);
    }
    assertThat(pool.free()).isEqualTo(1);
  }

  /** P2: a caller's mistake costs the caller only. */
  @Test
  void noPassword_costsNoPermit() {
    HashPool pool = pool(1, false);
    assertThatThrownBy(() -> pool.digest(SETTING, null, LONG, far()))
        .isInstanceOf(NullPointerException.class);
    assertThat(pool.free()).isEqualTo(1);
  }

  /** Whatever goes wrong with the permit, whoever waits for the digest is told. */
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
