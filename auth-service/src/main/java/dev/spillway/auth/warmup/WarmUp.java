package dev.spillway.auth.warmup;

import dev.spillway.hashing.PooledBcrypt;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Keeps the service from calling itself ready until a login's path and its hash are compiled.
 * Autoscaling starts instances in the middle of a spike: the first second of one has to be as good
 * as the rest.
 */
@Readiness
@ApplicationScoped
class WarmUp implements HealthCheck {
  private final PathWarmUp path;
  private final PooledBcrypt bcrypt;
  private volatile boolean warm;

  WarmUp(PathWarmUp path, PooledBcrypt bcrypt) {
    this.path = path;
    this.bcrypt = bcrypt;
  }

  void start(@Observes StartupEvent event) {
    Thread.ofVirtual().name("warm-up").start(this::run);
  }

  /** The hash last and alone: the gate's places come from the rate that is measured then. */
  private void run() {
    try {
      path.run();
      bcrypt.warmUp();
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
