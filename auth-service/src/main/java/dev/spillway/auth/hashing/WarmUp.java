package dev.spillway.auth.hashing;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.pool.HashPool;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Hashes a few times before the service calls itself ready: in a cold JVM the first hash costs
 * three times what the following ones do, and the pool's estimates start from these.
 */
@Readiness
@ApplicationScoped
class WarmUp implements HealthCheck {
  private static final int COST = 8; // 15 ms each: enough iterations to be compiled
  private static final int ROUNDS = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HashPool pool;
  private volatile boolean warm;

  WarmUp(HashPool pool) {
    this.pool = pool;
  }

  void start(@Observes StartupEvent event) {
    Thread.ofVirtual().name("hash-warm-up").start(this::run);
  }

  private void run() {
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, COST, new SecureRandom());
    int hashes = pool.size() * ROUNDS;
    CountDownLatch left = new CountDownLatch(hashes);
    for (int i = 0; i < hashes; i++) {
      Thread.startVirtualThread(
          () -> {
            pool.digest(setting, new byte[] {'w'}, PATIENCE, Deadline.in(PATIENCE));
            left.countDown();
          });
    }
    try {
      left.await();
      warm = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("hash-pool").status(warm).build();
  }
}
