package dev.spillway.auth.hashing;

import dev.spillway.hashing.PooledBcrypt;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Keeps the service from calling itself ready until its hashing is warm. */
@Readiness
@ApplicationScoped
class WarmUp implements HealthCheck {
  private final PooledBcrypt bcrypt;
  private volatile boolean warm;

  WarmUp(PooledBcrypt bcrypt) {
    this.bcrypt = bcrypt;
  }

  void start(@Observes StartupEvent event) {
    Thread.ofVirtual().name("hash-warm-up").start(this::run);
  }

  private void run() {
    try {
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
