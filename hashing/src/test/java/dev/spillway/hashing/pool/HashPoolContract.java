package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pool promises over every engine: real hashes, real races. */
@Timeout(60)
abstract class HashPoolContract {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");
  private static final BcryptSetting SLOW = BcryptSetting.parse("$2b$13$CCCCCCCCCCCCCCCCCCCCC.");
  private static final BcryptSetting FIFTY_MS =
      BcryptSetting.parse("$2b$10$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofSeconds(30);

  /** The time one hash of SETTING takes, roughly: timeouts and grants meet. */
  private static final Duration SOON = Duration.ofMillis(2);

  abstract DigestEngine engine();

  /** P3: no permit is lost, whether a timeout or a release wins their race. */
  @Test
  void timeoutRacingRelease_losesNoPermit() throws Exception {
    int callers = 8;
    try (HashPool pool = pool(1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 200; round++) {
        CyclicBarrier start = new CyclicBarrier(callers);
        List<Future<PoolAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          answers.add(
              threads.submit(
                  () -> {
                    start.await();
                    return pool.digest(SETTING, new byte[] {'p'}, SOON, Deadline.in(LONG));
                  }));
        }
        for (Future<PoolAnswer> answer : answers) {
          answer.get();
        }
        assertThat(pool.free()).as("round %d", round).isEqualTo(pool.size());
      }
    }
  }

  /**
   * P1 to P4 in a crowd: success, timeout in line, deadline in mid-hash, client gone before, in
   * line and in mid-hash. Every digest that comes out is the right one, and every permit is back.
   */
  @Test
  void crowdOfEveryFate_leavesEveryPermitFree() throws Exception {
    byte[][] passwords = new byte[16][];
    BcryptDigest[] digests = new BcryptDigest[passwords.length];
    for (int i = 0; i < passwords.length; i++) {
      passwords[i] = new byte[] {(byte) ('a' + i)};
      digests[i] = new SpringDigestEngine().digest(SETTING, passwords[i]);
    }
    try (HashPool pool = pool(2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> fates = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        int which = i % passwords.length;
        fates.add(threads.submit(() -> oneOf(pool, passwords[which], digests[which])));
      }
      int computed = 0;
      for (Future<Boolean> fate : fates) {
        computed += fate.get() ? 1 : 0;
      }
      assertThat(computed).as("some were computed").isPositive();
      // Callers may have left while their hash still ran.
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == pool.size());
      assertThat(pool.waiting()).isZero();
    }
  }

  private static boolean oneOf(HashPool pool, byte[] password, BcryptDigest expected) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Deadline deadline =
        random.nextInt(4) == 0
            ? Deadline.in(Duration.ofNanos(random.nextLong(20_000_000)))
            : Deadline.in(LONG);
    if (random.nextInt(4) == 0) {
      Thread caller = Thread.currentThread();
      long afterNanos = random.nextLong(20_000_000);
      Thread.startVirtualThread(
          () -> {
            java.util.concurrent.locks.LockSupport.parkNanos(afterNanos);
            deadline.abandon();
            caller.interrupt();
          });
    }
    Duration enqueueTimeout = Duration.ofNanos(random.nextLong(1, 50_000_000));
    PoolAnswer answer = pool.digest(SETTING, password, enqueueTimeout, deadline);
    if (answer instanceof PoolAnswer.Computed(BcryptDigest digest, Duration waited)) {
      assertThat(digest).isEqualTo(expected);
      return true;
    }
    return false;
  }

  /**
   * P3: a crowd that waits for a millisecond beside hashes of fifty. A bulkhead that grants permits
   * to whom it has let go loses all of them here (failsafe issue 393).
   */
  @Test
  void tenThousandImpatientCallers_leaveEveryPermitFree() throws Exception {
    try (HashPool pool = pool(2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<PoolAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        answers.add(
            threads.submit(
                () ->
                    pool.digest(
                        FIFTY_MS, new byte[] {'p'}, Duration.ofMillis(1), Deadline.in(LONG))));
      }
      int refused = 0;
      for (Future<PoolAnswer> answer : answers) {
        refused += answer.get() instanceof PoolAnswer.Refused ? 1 : 0;
      }
      assertThat(refused).isBetween(1, answers.size() - 1);
      assertThat(pool.free()).isEqualTo(pool.size());
    }
  }

  /** P3: a caller that leaves a long queue, at any place, strands nobody behind it. */
  @Test
  void leaversInALineOfAThousand_strandNobody() throws Exception {
    Semaphore start = new Semaphore(0);
    try (HashPool pool =
            new HashPool(engine(), 1, 4, false, start::acquireUninterruptibly, PoolMeters.NONE);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        AutoCloseable inAnyCase = start::release) {
      for (int i = 0; i < pool.size(); i++) {
        threads.submit(() -> pool.digest(SETTING, new byte[] {'p'}, LONG, Deadline.in(LONG)));
      }
      await().until(() -> pool.free() == 0);
      List<Deadline> leavers = new ArrayList<>();
      List<Future<PoolAnswer>> stayers = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        Deadline deadline = Deadline.in(LONG);
        Future<PoolAnswer> answer =
            threads.submit(
                () ->
                    deadline.interruptibly(
                        () -> pool.digest(SETTING, new byte[] {'p'}, LONG, deadline)));
        if (ThreadLocalRandom.current().nextBoolean()) {
          leavers.add(deadline);
        } else {
          stayers.add(answer);
        }
      }
      await().until(() -> pool.waiting() == 1_000);
      start.release(); // so that the line moves while they leave
      leavers.forEach(Deadline::abandon);
      for (Future<PoolAnswer> stayer : stayers) {
        assertThat(stayer.get()).isInstanceOf(PoolAnswer.Computed.class);
      }
    }
  }

  /** P1: callers stop waiting, hashes go on; no permit is free before its hash has ended. */
  @Test
  void deadlinesShorterThanHashes_runNoMoreThanSize() throws Exception {
    WatchedEngine.Count count = new WatchedEngine.Count();
    DigestEngine watched = new WatchedEngine(engine(), count);
    try (HashPool pool = new HashPool(watched, 2, 4, false, () -> {}, PoolMeters.NONE);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 10; round++) {
        List<Future<PoolAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          Deadline soon = Deadline.in(Duration.ofMillis(20));
          answers.add(threads.submit(() -> pool.digest(SLOW, new byte[] {'p'}, LONG, soon)));
        }
        for (Future<PoolAnswer> answer : answers) {
          assertThat(answer.get()).isNotInstanceOf(PoolAnswer.Computed.class);
        }
      }
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == pool.size());
      assertThat(count.mostRunning.get()).isBetween(1, pool.size());
    }
  }

  /** P2: an engine that ends a job twice gives one permit back, not two. */
  @Test
  void jobThatEndsTwice_givesOnePermitBack() throws Exception {
    DigestEngine real = engine();
    DigestEngine twice =
        new WatchedEngine(real, new WatchedEngine.Count()) {
          @Override
          void ended(DigestJob job, DigestResult result) {
            job.end(result);
            job.end(result);
          }
        };
    try (HashPool pool = new HashPool(twice, 1, 4, false, () -> {}, PoolMeters.NONE)) {
      for (int i = 0; i < 10; i++) {
        assertThat(pool.digest(SETTING, new byte[] {'p'}, LONG, Deadline.in(LONG)))
            .isInstanceOf(PoolAnswer.Computed.class);
        assertThat(pool.free()).isLessThanOrEqualTo(pool.size());
      }
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == pool.size());
    }
  }

  /** P2: an engine that can, drops what nobody wants before the whole hash is done. */
  @Test
  void abandonedInMidHash_endsAndFreesItsPermit() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    DigestEngine watched =
        new WatchedEngine(engine(), new WatchedEngine.Count()) {
          @Override
          public void run(DigestJob first, Backlog backlog) {
            begun.countDown();
            super.run(first, backlog);
          }
        };
    try (HashPool pool = new HashPool(watched, 1, 4, false, () -> {}, PoolMeters.NONE);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Deadline deadline = Deadline.in(LONG);
      Future<PoolAnswer> answer =
          threads.submit(() -> pool.digest(SLOW, new byte[] {'p'}, LONG, deadline));
      begun.await();
      deadline.abandon();
      answer.get();
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == pool.size());
    }
  }

  /** P1 and P2 for work that is no bcrypt: amid hashes, refused in line, failing. */
  @Test
  void otherWork_holdsAPermitUntilItEnds() throws Exception {
    try (HashPool pool = pool(1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      Runnable work =
          () -> {
            begun.countDown();
            try {
              mayEnd.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      Future<PoolAnswer> held = threads.submit(() -> pool.run(4, work, LONG, Deadline.in(LONG)));
      begun.await();
      assertThat(pool.free()).isEqualTo(pool.size() - 1);
      List<Future<PoolAnswer>> hashes = new ArrayList<>();
      for (int i = 1; i < pool.size(); i++) {
        hashes.add(
            threads.submit(() -> pool.digest(SETTING, new byte[] {'p'}, LONG, Deadline.in(LONG))));
      }
      await().pollInterval(Duration.ofMillis(1)).until(() -> pool.free() == 0);
      AtomicBoolean ran = new AtomicBoolean();
      assertThat(pool.run(4, () -> ran.set(true), SOON, Deadline.in(LONG)))
          .isInstanceOf(PoolAnswer.Refused.class);
      mayEnd.countDown();
      assertThat(held.get()).isInstanceOf(PoolAnswer.Computed.class);
      for (Future<PoolAnswer> hash : hashes) {
        assertThat(hash.get()).isInstanceOf(PoolAnswer.Computed.class);
      }
      assertThat(ran).isFalse();
      assertThatThrownBy(
              () ->
                  pool.run(
                      4,
                      () -> {
                        throw new IllegalStateException("work failed");
                      },
                      LONG,
                      Deadline.in(LONG)))
          .hasRootCauseMessage("work failed");
      assertThat(pool.free()).isEqualTo(pool.size());
    }
  }

  private HashPool pool(int threads) {
    return new HashPool(engine(), threads, 4, false, () -> {}, PoolMeters.NONE);
  }
}
