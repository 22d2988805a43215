package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused because it would come too late: P6 of {@link HashPool}. */
@Timeout(30)
class HashPoolForecastTest extends HashPoolFixture {
  /** P6. */
  @Test
  void knownWaitBeyondTheTimeout_isRefusedAtOnce() throws Exception {
    HashPool pool = pool(1, true);
    // Two waiting callers make a full pool; the time between two of its ends is what is known.
    List<Future<PoolAnswer>> slow = List.of(call(pool), call(pool), call(pool));
    await().until(() -> pool.waiting() == 2);
    engine.gate.release();
    await().until(() -> pool.waiting() == 1);
    await().pollDelay(Duration.ofMillis(200)).until(() -> true); // makes an interval of 200 ms
    engine.gate.release();
    await().until(() -> pool.waiting() == 0);
    assertThat(pool.perSecond()).isPositive().isLessThan(5);

    Duration tooShort = Duration.ofMillis(100);
    assertThat(call(pool, tooShort, far()).get())
        .isInstanceOfSatisfying(
            PoolAnswer.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(PoolAnswer.Reason.LINE_TOO_LONG);
              assertThat(refused.waited()).isLessThan(tooShort);
            });
    Duration hour = Duration.ofHours(1);
    Future<PoolAnswer> patient = call(pool, hour, Deadline.in(hour));
    await().until(() -> pool.waiting() == 1);
    engine.gate.release(2);
    assertThat(patient.get()).isInstanceOf(PoolAnswer.Computed.class);
    for (Future<PoolAnswer> one : slow) {
      assertThat(one.get()).isInstanceOf(PoolAnswer.Computed.class);
    }
  }

  /** P6: a pool that has become slow still begins as many hashes as it has permits. */
  @Test
  void slowPool_stillBegins() throws Exception {
    HashPool pool = pool(2, true);
    List<Future<PoolAnswer>> slow = List.of(call(pool), call(pool), call(pool));
    await().until(() -> pool.waiting() == 1);
    await().pollDelay(Duration.ofMillis(300)).until(() -> true);
    engine.gate.release(3);
    for (Future<PoolAnswer> one : slow) {
      one.get();
    }
    Deadline sooner = Deadline.in(Duration.ofMillis(100));
    List<Future<PoolAnswer>> begun = List.of(call(pool, SHORT, sooner), call(pool, SHORT, sooner));
    await().until(() -> engine.running.get() == 2 || begun.stream().allMatch(Future::isDone));
    engine.gate.release(2);
    for (Future<PoolAnswer> one : begun) {
      assertThat(one.get()).isNotInstanceOf(PoolAnswer.Refused.class);
    }
  }

  private Future<PoolAnswer> call(HashPool pool) {
    return call(pool, LONG, far());
  }
}
