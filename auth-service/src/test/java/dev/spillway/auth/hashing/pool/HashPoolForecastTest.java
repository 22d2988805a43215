package dev.spillway.auth.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.deadline.Deadline;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused because it would come too late: P6 and P8 of {@link HashPool}. */
@Timeout(30)
class HashPoolForecastTest extends HashPoolFixture {
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
}
