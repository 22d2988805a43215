package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.BorrowedConnections;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.hashing.deadline.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every database must do for the throttle when many come at once; one subclass for each. The
 * numbers are those in {@link Line}.
 */
@Timeout(60)
abstract class ThrottleCrowdContract extends ThrottleFixture {
  /** T1, on one account: CVE-2024-4629. */
  @Test
  void parallelGuesses_inTwoInstances_areLookedAtUpToTheLimit() throws Exception {
    Crowd crowd = crowd(200, i -> "ann", i -> HERE, false);
    assertThat(crowd.lookedAt.get()).isBetween(5, 5 + 2);
    assertThat(crowd.ended("refused by ACCOUNT")).isEqualTo(200 - crowd.lookedAt.get());
    assertIdle();
  }

  /** T1, from one network on as many accounts. */
  @Test
  void parallelSpray_inTwoInstances_isLookedAtUpToTheLimit() throws Exception {
    Crowd crowd = crowd(200, i -> "user" + i, i -> HERE, false);
    assertThat(crowd.lookedAt.get()).isBetween(20, 20 + 2 * POOL);
    assertThat(crowd.ended("refused by NETWORK")).isEqualTo(200 - crowd.lookedAt.get());
    assertIdle();
  }

  /** T1, on one account from as many networks. */
  @Test
  void parallelGuessesFromManyNetworks_areLookedAtUpToTheGuard() throws Exception {
    Crowd crowd = crowd(200, i -> "ann", ThrottleFixture::network, false);
    assertThat(crowd.lookedAt.get()).isBetween(10, 10 + 2 * POOL);
    assertThat(crowd.ended("refused by GUARD")).isEqualTo(200 - crowd.lookedAt.get());
    assertIdle();
  }

  /** T5: an attack leaves connections for everybody else. */
  @Test
  void parallelGuesses_borrowFewConnections() throws Exception {
    AtomicInteger most = new AtomicInteger();
    database = new Database(BorrowedConnections.counting(dataSource(), most));
    one = throttle();
    other = throttle();
    crowd(200, i -> "ann", i -> HERE, false);
    int keys = 3;
    int instances = 2;
    assertThat(most.get()).isBetween(1, 2 * keys * instances);
  }

  /** T2. */
  @Test
  void parallelRightLogins_allSucceed() throws Exception {
    Crowd crowd = crowd(40, i -> "ann", i -> HERE, true);
    assertThat(crowd.ended("right")).isEqualTo(40);
    assertIdle();
    assertThat(reserved()).isZero();
  }

  /** T4: a waiting attempt leaves when its deadline comes early. */
  @Test
  void clientGoneInLine_holdsNothing() throws Exception {
    List<Attempt> holders = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      holders.add(begun(one, "ann", HERE));
      assertThat(holders.getLast().admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
    }
    List<Deadline> deadlines = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Admission>> waiting = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(10);
      for (int i = 0; i < 10; i++) {
        Deadline deadline = Deadline.in(LONG);
        deadlines.add(deadline);
        waiting.add(
            threads.submit(
                () -> {
                  try (Attempt attempt = begun(one, "ann", HERE)) {
                    begun.countDown();
                    return attempt.admit(deadline);
                  }
                }));
      }
      begun.await();
      deadlines.forEach(Deadline::abandon);
      for (Future<Admission> one : waiting) {
        assertThat(one.get()).isEqualTo(new Admission.Late());
      }
    }
    holders.forEach(Attempt::close);
    assertIdle();
    assertThat(reserved()).isZero();
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
  }

  /** Half of the attempts in each instance, all begun before the first ends. */
  private Crowd crowd(
      int size, IntFunction<String> login, IntFunction<ClientNetwork> network, boolean right)
      throws InterruptedException {
    Crowd crowd = new Crowd();
    CountDownLatch begun = new CountDownLatch(size);
    Semaphore hashes = new Semaphore(2 * POOL);
    Semaphore lookUps = new Semaphore(4);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        Throttle throttle = i % 2 == 0 ? one : other;
        String who = login.apply(i);
        ClientNetwork from = network.apply(i);
        threads.submit(
            () -> {
              try (Attempt attempt = throttle.attempt(who, from)) {
                lookUps.acquire();
                attempt.lookUp();
                lookUps.release();
                begun.countDown();
                begun.await();
                crowd.endings.add(
                    ended(
                        attempt,
                        right,
                        () -> {
                          crowd.lookedAt.incrementAndGet();
                          hashes.acquireUninterruptibly();
                          hashes.release();
                        }));
              } catch (RuntimeException e) {
                crowd.endings.add(e.toString());
              }
              return null;
            });
      }
    }
    return crowd;
  }

  private static final class Crowd {
    final List<String> endings = java.util.Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger lookedAt = new AtomicInteger();

    long ended(String how) {
      return endings.stream().filter(how::equals).count();
    }
  }
}
