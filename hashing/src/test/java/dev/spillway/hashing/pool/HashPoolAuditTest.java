package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.lanes.LaneDigestEngine;
import dev.spillway.hashing.Audit;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P1 to P8 together: callers of every fate at once, for as long as {@link Audit} says, while the
 * engine is exchanged again and again. Afterwards every permit is free, and each caller has had one
 * answer, which the pool's own books confirm.
 */
@Timeout(300)
class HashPoolAuditTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration FAR = Duration.ofMinutes(4);
  private static final int THREADS = 2;
  private static final byte[][] PASSWORDS = {{'a'}, {'b'}, {'c'}, {'d'}};

  /** Over 72 bytes: the engine fails, as on a bug. */
  private static final byte[] IMPOSSIBLE = new byte[73];

  /** What becomes of callers. */
  private enum Fate {
    PATIENT,
    IMPATIENT,
    EXPIRING,
    OVERDUE,
    GONE,
    INTERRUPTED,
    FAULTY
  }

  private final BcryptDigest[] digests = new BcryptDigest[PASSWORDS.length];
  private WatchedEngine.Count count;
  private MeterRegistry meters;
  private final AtomicInteger computed = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(strings = {"lanes", "spring"})
  void everyFateAtOnce_losesNothing(String engine) throws Exception {
    for (int i = 0; i < digests.length; i++) {
      digests[i] = new SpringDigestEngine().digest(SETTING, PASSWORDS[i]);
    }
    // In a crowd a caller is refused or waits; where there are few, it is mostly served.
    int few = Audit.OPERATIONS / 20;
    int rest = Audit.OPERATIONS - few;
    audit(engine, 100, rest / 2, true);
    audit(engine, 100, rest - rest / 2, false);
    do {
      audit(engine, 5, few, false);
    } while (late.get() == 0); // Whether a hash ends just too late is for the machine to say.
  }

  private void audit(String name, int callerCount, int operations, boolean refuseKnownWaits)
      throws Exception {
    count = new WatchedEngine.Count();
    meters = new SimpleMeterRegistry();
    Stream.of(computed, late, failed, refused).forEach(counter -> counter.set(0));
    DigestEngine engine = engine(name, 3);
    DigestEngine other = engine(name, 2);
    AtomicInteger left = new AtomicInteger(operations);
    HashPool pool =
        new HashPool(engine, THREADS, 4, refuseKnownWaits, () -> {}, MicrometerMeters.pool(meters));
    try (pool;
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < callerCount; i++) {
        SplittableRandom random = new SplittableRandom(i);
        callers.add(
            threads.submit(
                () -> {
                  while (left.getAndDecrement() > 0) {
                    call(pool, random);
                  }
                  return null;
                }));
      }
      while (!callers.stream().allMatch(Future::isDone)) {
        pool.use(other);
        pool.use(engine);
        LockSupport.parkNanos(5_000_000);
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      // Callers may have left while their hash still ran.
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == pool.size());
      assertThat(pool.waiting()).isZero();
    }
    assertThat(pool.free()).isEqualTo(pool.size());
    assertThat(count.running).hasValue(0);
    assertThat(count.endedTwice).hasValue(0);
    assertThat(count.mostRunning.get()).as("P1").isBetween(1, THREADS * engine.lanes());
    assertBooks(operations);
  }

  private void call(HashPool pool, SplittableRandom random) {
    int which = random.nextInt(PASSWORDS.length);
    Duration moment = Duration.ofNanos(random.nextLong(1, 1_000_000));
    Fate fate = fate(random.nextInt(100));
    Deadline deadline =
        switch (fate) {
          case EXPIRING -> Deadline.in(moment);
          case OVERDUE -> Deadline.in(moment.negated());
          case PATIENT, IMPATIENT, GONE, INTERRUPTED, FAULTY -> Deadline.in(FAR);
        };
    Duration enqueueTimeout = fate == Fate.IMPATIENT ? moment : FAR;
    byte[] password = fate == Fate.FAULTY ? IMPOSSIBLE : PASSWORDS[which];
    if (fate == Fate.GONE) {
      Thread.startVirtualThread(
          () -> {
            LockSupport.parkNanos(moment.toNanos());
            deadline.abandon();
          });
    } else if (fate == Fate.INTERRUPTED) {
      Thread.currentThread().interrupt();
    }
    try {
      PoolAnswer answer =
          deadline.interruptibly(() -> pool.digest(SETTING, password, enqueueTimeout, deadline));
      check(fate, answer, digests[which]);
    } catch (IllegalStateException e) {
      failed.incrementAndGet();
      assertThat(fate).isEqualTo(Fate.FAULTY);
    }
    assertThat(Thread.interrupted()).isEqualTo(fate == Fate.INTERRUPTED);
  }

  /** Most do not get far, or a million of them would take an hour. */
  private static Fate fate(int percent) {
    if (percent < 2) {
      return Fate.PATIENT;
    } else if (percent < 3) {
      return Fate.FAULTY;
    } else if (percent < 35) {
      return Fate.IMPATIENT;
    } else if (percent < 60) {
      return Fate.EXPIRING;
    } else if (percent < 70) {
      return Fate.OVERDUE;
    } else if (percent < 80) {
      return Fate.INTERRUPTED;
    }
    return Fate.GONE;
  }

  private void check(Fate fate, PoolAnswer answer, BcryptDigest expected) {
    switch (answer) {
      case PoolAnswer.Computed(BcryptDigest digest, Duration waited) -> {
        computed.incrementAndGet();
        assertThat(digest).isEqualTo(expected);
        assertThat(fate).isIn(Fate.PATIENT, Fate.IMPATIENT, Fate.EXPIRING, Fate.GONE);
      }
      case PoolAnswer.Late(Duration waited) -> {
        late.incrementAndGet();
        assertThat(fate).isIn(Fate.EXPIRING, Fate.GONE);
      }
      case PoolAnswer.Refused(PoolAnswer.Reason reason, Duration waited) -> {
        refused.incrementAndGet();
        Fate[] possible =
            switch (reason) {
              case TIMED_OUT -> new Fate[] {Fate.IMPATIENT};
              case LINE_TOO_LONG -> new Fate[] {Fate.IMPATIENT, Fate.EXPIRING, Fate.GONE};
              case ABANDONED ->
                  new Fate[] {Fate.EXPIRING, Fate.OVERDUE, Fate.GONE, Fate.INTERRUPTED};
              case CLOSED -> new Fate[0];
            };
        assertThat(fate).as("%s", reason).isIn((Object[]) possible);
      }
    }
  }

  /** The pool's meters and the callers' own count agree. */
  private void assertBooks(int operations) {
    long admitted = timed("wait", "admitted");
    System.out.printf(
        "%d operations: %d computed, %d late, %d failed, %d refused %s%n",
        operations, computed.get(), late.get(), failed.get(), refused.get(), reasons());
    assertThat(computed.get() + late.get() + failed.get() + refused.get())
        .as("answers")
        .isEqualTo(operations);
    assertThat(computed.get() + late.get() + failed.get()).as("admitted").isEqualTo((int) admitted);
    assertThat(timed("wait", "refused")).isEqualTo(refused.get());
    assertThat(timed("hash", "digested") + timed("hash", "abandoned") + timed("hash", "failed"))
        .as("permits taken and given back")
        .isEqualTo(admitted);
    assertThat(computed).hasPositiveValue();
    assertThat(failed).hasPositiveValue();
  }

  private String reasons() {
    return meters.find("spillway.pool.refused").counters().stream()
        .map(counter -> counter.getId().getTag("reason") + " " + (long) counter.count())
        .toList()
        .toString();
  }

  private long timed(String what, String outcome) {
    Timer timer = meters.get("spillway.pool." + what).tag("outcome", outcome).timer();
    return timer.count();
  }

  private DigestEngine engine(String name, int lanes) {
    return new WatchedEngine(
        name.equals("spring") ? new SpringDigestEngine() : new LaneDigestEngine(lanes), count);
  }
}
