package dev.spillway.benchmarks.service;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Vert.x for what shares the machine with the service under test and must not cost much. */
final class EventLoops {
  private EventLoops() {}

  static Vertx one() {
    return Vertx.vertx(
        new VertxOptions()
            .setPreferNativeTransport(true)
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1));
  }

  static <T> T await(Future<T> future, Duration patience) throws IOException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
