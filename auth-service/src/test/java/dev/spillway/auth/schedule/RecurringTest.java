package dev.spillway.auth.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RecurringTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  void goesOn_afterWorkThatFailed() throws Exception {
    CountDownLatch three = new CountDownLatch(3);
    try (Recurring _ =
        Recurring.every(
            "failing",
            SHORT,
            () -> {
              three.countDown();
              throw new IllegalStateException("not today");
            })) {
      three.await();
    }
  }

  @Test
  void fromNow_isDoneAtOnce_andEvery_afterTheInterval() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger later = new AtomicInteger();
    try (Recurring _ = Recurring.fromNow("first", LONG, done::countDown);
        Recurring _ = Recurring.every("later", LONG, later::incrementAndGet)) {
      done.await();
      assertThat(later).hasValue(0);
    }
  }

  @Test
  void close_waitsForTheWork_andNeverInterruptsIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Recurring recurring =
        Recurring.fromNow(
            "long",
            SHORT,
            () -> {
              begun.countDown();
              try {
                mayEnd.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            });
    begun.await();
    assertThat(recurring.close(SHORT)).isFalse();
    mayEnd.countDown();
    assertThat(recurring.close(Duration.ofSeconds(20))).isTrue();
    assertThat(interrupted).isFalse();
  }
}
