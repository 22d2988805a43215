package dev.spillway.auth.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
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

  @Test
  void limit_isTheShorterOfBoth() {
    Deadline deadline = Deadline.in(SECOND, now::get);
    assertThat(deadline.limit(Duration.ofMillis(5))).isEqualTo(Duration.ofMillis(5));
    assertThat(deadline.limit(Duration.ofSeconds(5))).isEqualTo(SECOND);
  }
}
