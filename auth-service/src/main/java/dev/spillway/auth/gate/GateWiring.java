package dev.spillway.auth.gate;

import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.hashing.Hashing;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Puts the gate before the service's hashing. */
@ApplicationScoped
class GateWiring {
  @Produces
  @Singleton
  Gate gate(Hashing hashing, PoolConfig pool, Vertx vertx) {
    return new Gate(
        capacity(hashing),
        pool.maxWait(),
        System::nanoTime,
        (time, end) -> vertx.setTimer(Math.max(1, time.toMillis()), timer -> end.run()));
  }

  private static Gate.Capacity capacity(Hashing hashing) {
    return new Gate.Capacity() {
      @Override
      public int served() {
        return hashing.served();
      }

      @Override
      public int inLine(Duration wait) {
        return hashing.inLine(wait);
      }

      @Override
      public Duration hashTime() {
        return hashing.hashTime();
      }
    };
  }
}
