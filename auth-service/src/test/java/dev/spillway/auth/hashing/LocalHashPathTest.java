package dev.spillway.auth.hashing;

import dev.spillway.auth.hashing.spill.SpillCalls;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.lanes.LaneDigestEngine;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.Spending;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The contract on the local path: a pool that admits everybody. */
class LocalHashPathTest extends HashPathContract {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final HashPool pool =
      new HashPool(engine(), 2, 4, false, () -> {}, MicrometerMeters.pool(meters));

  DigestEngine engine() {
    return new LaneDigestEngine(3);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Override
  Hashing hashing() {
    return new Hashing(
        pool,
        SpillCalls.nowhere(meters),
        Spending.UNLIMITED,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        4,
        MicrometerMeters.hashing(meters));
  }

  @Override
  HashAnswer.Path path() {
    return HashAnswer.Path.LOCAL;
  }

  @Override
  int guesses() {
    return 10_000;
  }
}
