package dev.spillway.auth.hashing;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.pool.HashPool;
import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.pool.PoolPlan;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import dev.spillway.core.lanes.LaneDigestEngine;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Hashes a few times before the service calls itself ready: in a cold JVM the first hash costs
 * three times what the following ones do, and the pool's estimates start from these.
 */
@Readiness
@ApplicationScoped
class WarmUp implements HealthCheck {
  private static final int COST = 8; // 15 ms each: enough iterations to be compiled
  private static final int ROUNDS = 6;
  private static final Logger LOG = Logger.getLogger(HashPool.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A finding takes some forty pairs: half a minute if nobody logs in. */
  private static final Duration BETWEEN_FIRST_PAIRS = Duration.ofMillis(500);

  /** Less than a hundredth of the CPU, and a finding in some minutes. */
  private static final Duration BETWEEN_LATER_PAIRS = Duration.ofSeconds(10);

  private final HashPool pool;
  private final PoolConfig config;
  private final HashingConfig hashing;
  private volatile boolean warm;

  WarmUp(HashPool pool, PoolConfig config, HashingConfig hashing) {
    this.pool = pool;
    this.config = config;
    this.hashing = hashing;
  }

  void start(@Observes StartupEvent event) {
    Thread.ofVirtual().name("hash-warm-up").start(this::run);
  }

  private void run() {
    try {
      hash();
      pool.forgetRate();
      hash(); // the gate's places come from the rate of these
      pool.expect(hashing.cost());
      warm = true;
      chooseLanes();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hash() throws InterruptedException {
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, COST, new SecureRandom());
    int hashes = pool.size() * ROUNDS;
    CountDownLatch left = new CountDownLatch(hashes);
    for (int i = 0; i < hashes; i++) {
      Thread.startVirtualThread(
          () -> {
            try {
              pool.digest(setting, new byte[] {'w'}, PATIENCE, Deadline.in(PATIENCE));
            } finally {
              left.countDown();
            }
          });
    }
    left.await();
  }

  /**
   * In the background, for as long as the service runs, and only while nothing is hashed: what is
   * best now need not be so when the machine's other tenants do something else.
   */
  private void chooseLanes() throws InterruptedException {
    LaneChoice choice =
        new LaneChoice(
            pool.engine().lanes(),
            pool.threads(),
            PoolPlan.of(config).priority()::applyToCallingThread);
    Duration pause = BETWEEN_FIRST_PAIRS;
    while (config.lanes().isEmpty() && pool.engine() instanceof LaneDigestEngine) {
      Thread.sleep(pause);
      Optional<LaneChoice.Finding> found = idle() ? choice.pair(() -> !idle()) : Optional.empty();
      if (found.isPresent()) {
        LaneChoice.Finding finding = found.get();
        LOG.infof("Lanes: %s", finding.why());
        if (finding.changed()) {
          pool.use(Engines.proven(finding.lanes(), LOG::error));
        }
        pause = BETWEEN_LATER_PAIRS;
      }
    }
  }

  private boolean idle() {
    return pool.free() == pool.size();
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("hash-pool").status(warm).build();
  }
}
