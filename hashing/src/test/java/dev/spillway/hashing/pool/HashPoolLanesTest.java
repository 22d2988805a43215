package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.lanes.LaneDigestEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Engines of more lanes and of fewer: P7 of {@link HashPool}. */
@Timeout(30)
class HashPoolLanesTest extends HashPoolFixture {
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

  /** P2: a hash of another kind may need more memory than there is; its neighbours do not fail. */
  @Test
  void otherWorkWithoutMemory_failsAlone() throws Exception {
    HashPool pool = pool(1, false, start::acquireUninterruptibly);
    pool.use(new LaneDigestEngine(2));
    Future<PoolAnswer> bcrypt = call(pool, LONG, far());
    await().until(() -> pool.free() == 1);
    Runnable large =
        () -> {
          throw new OutOfMemoryError("none left");
        };
    Future<PoolAnswer> other = callers.submit(() -> pool.run(4, large, LONG, far()));
    await().until(() -> pool.free() == 0);

    start.release();
    assertThat(bcrypt.get()).isInstanceOf(PoolAnswer.Computed.class);
    assertThatThrownBy(other::get).hasRootCauseMessage("none left");
    assertThat(pool.free()).isEqualTo(2);
  }
}
