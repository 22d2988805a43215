package dev.spillway.hashing.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong();

  /** {@link System#nanoTime} starts anywhere, and overflows. */
  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 10, Long.MIN_VALUE})
  void remaining_runsDownToZeroAndStays(long start) {
    now.set(start);
    Deadline deadline = Deadline.in(SECOND, now::get);
    assertThat(deadline.remaining()).isEqualTo(SECOND);
    assertThat(deadline.passed()).isFalse();

    now.addAndGet(SECOND.toNanos() - 1);
    assertThat(deadline.remaining()).isEqualTo(Duration.ofNanos(1));
    assertThat(deadline.passed()).isFalse();

    now.addAndGet(1);
    assertThat(deadline.remaining()).isZero();
    assertThat(deadline.passed()).isTrue();
    now.addAndGet(SECOND.toNanos());
    assertThat(deadline.remaining()).isZero();
    assertThat(deadline.abandoned()).isFalse();
  }

  @Test
  void abandoned_hasPassedAtOnce() {
    Deadline deadline = Deadline.in(SECOND, now::get);
    deadline.abandon();
    assertThat(deadline.passed()).isTrue();
    assertThat(deadline.abandoned()).isTrue();
    assertThat(deadline.remaining()).isZero();
    assertThat(deadline.limit(SECOND)).isZero();
  }

  /** Who waits is woken; who does anything else, on a database's socket perhaps, is left alone. */
  @Test
  void abandoned_interruptsOnlyWhoWaitsForIt() throws Exception {
    Deadline deadline = Deadline.in(SECOND);
    CountDownLatch waiting = new CountDownLatch(1);
    boolean[] woken = new boolean[1];
    boolean[] interruptedAfter = new boolean[1];
    Thread waiter =
        Thread.ofVirtual()
            .start(
                () -> {
                  woken[0] =
                      deadline.interruptibly(
                          () -> {
                            waiting.countDown();
                            LockSupport.park();
                            return Thread.currentThread().isInterrupted();
                          });
                  interruptedAfter[0] = Thread.currentThread().isInterrupted();
                });
    waiting.await();
    deadline.abandon();
    waiter.join();

    assertThat(woken[0]).isTrue();
    assertThat(interruptedAfter[0]).isFalse();
  }

  @Test
  void abandonedBefore_interruptsAtOnce_andNothingElse() {
    Deadline deadline = Deadline.in(SECOND);
    deadline.abandon();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    boolean inside = deadline.interruptibly(() -> Thread.currentThread().isInterrupted());
    assertThat(inside).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void limit_isTheShorterOfBoth() {
    Deadline deadline = Deadline.in(SECOND, now::get);
    assertThat(deadline.limit(Duration.ofMillis(5))).isEqualTo(Duration.ofMillis(5));
    assertThat(deadline.limit(Duration.ofSeconds(5))).isEqualTo(SECOND);
  }
}
