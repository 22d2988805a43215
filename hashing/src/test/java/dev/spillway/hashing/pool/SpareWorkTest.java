package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.lanes.Engines;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P9 over the engine that can stop in the middle of a hash. */
@Timeout(60)
class SpareWorkTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");
  private static final BcryptSetting ENDLESS = BcryptSetting.parse("$2b$20$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final byte[] PASSWORD = {'p'};

  @Test
  void spareWork_isDone_whereNobodyElseWantsThePool() {
    try (HashPool pool = pool()) {
      assertThat(pool.digestIfSpare(SETTING, PASSWORD, LONG)).isPresent();
      assertThat(pool.free()).isEqualTo(1);
    }
  }

  /** Nor is the caller told that its wait would be long, and sent to spill. */
  @Test
  void spareWork_givesWayToACaller() throws Exception {
    try (HashPool pool = pool();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      pool.digest(ENDLESS, PASSWORD, LONG, Deadline.in(Duration.ofMillis(50)));
      await().until(() -> pool.free() == 1);
      Future<Optional<BcryptDigest>> spare =
          threads.submit(() -> pool.digestIfSpare(ENDLESS, PASSWORD, LONG));
      await().until(() -> pool.free() == 0);

      assertThat(pool.digest(SETTING, PASSWORD, LONG, Deadline.in(LONG)))
          .isInstanceOf(PoolAnswer.Computed.class);
      assertThat(spare.get()).isEmpty();
      assertThat(pool.free()).isEqualTo(1);
    }
  }

  @Test
  void closing_doesNotWaitForSpareWork() throws Exception {
    HashPool pool = pool();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Optional<BcryptDigest>> spare =
          threads.submit(() -> pool.digestIfSpare(ENDLESS, PASSWORD, LONG));
      await().until(() -> pool.free() == 0);
      pool.close();
      assertThat(spare.get()).isEmpty();
      assertThat(pool.digestIfSpare(SETTING, PASSWORD, LONG)).isEmpty();
    }
  }

  private static HashPool pool() {
    return new HashPool(Engines.proven(1, message -> {}), 1, 4, true, () -> {}, PoolMeters.NONE);
  }
}
