package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;

/** Pools whose hashes end when told to, and their callers. */
abstract class HashPoolFixture {
  static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");

  /** The engine makes no difference; the pool expects a hash of 64 times the time. */
  static final BcryptSetting SLOW = BcryptSetting.parse("$2b$10$CCCCCCCCCCCCCCCCCCCCC.");

  /** As SLOW, of 256 times the time. */
  static final BcryptSetting SLOWER = BcryptSetting.parse("$2b$12$CCCCCCCCCCCCCCCCCCCCC.");

  static final Duration LONG = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(5);
  static final byte[] PASSWORD = {'p'};

  final GatedEngine engine = new GatedEngine();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final List<HashPool> pools = new ArrayList<>();
  final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  /** Where hash threads wait that are not to begin before a test says so. */
  final Semaphore start = new Semaphore(0);

  @AfterEach
  void letEverythingEnd() {
    start.release(1_000);
    engine.gate.release(1_000);
    pools.forEach(HashPool::close);
    callers.close();
  }

  /** Closed only after the gate is open: closing waits for what runs. */
  HashPool pool(int threads, boolean refuseKnownWaits) {
    return pool(threads, refuseKnownWaits, () -> {});
  }

  HashPool pool(int threads, boolean refuseKnownWaits, Runnable onThread) {
    HashPool pool =
        new HashPool(engine, threads, 4, refuseKnownWaits, onThread, MicrometerMeters.pool(meters));
    pools.add(pool);
    return pool;
  }

  Future<PoolAnswer> call(HashPool pool, Duration enqueueTimeout, Deadline deadline) {
    return call(pool, SETTING, enqueueTimeout, deadline);
  }

  Future<PoolAnswer> call(
      HashPool pool, BcryptSetting setting, Duration enqueueTimeout, Deadline deadline) {
    return callers.submit(() -> pool.digest(setting, PASSWORD, enqueueTimeout, deadline));
  }

  static Deadline far() {
    return Deadline.in(LONG);
  }
}
