package dev.spillway.auth.hashing.spill.lambda;

import dev.spillway.hashing.spill.wire.Transport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls functions by Lambda's Invoke API. */
public final class LambdaTransport implements Transport {
  private final Map<String, LambdaEndpoint> endpoints;

  /**
   * @param endpoints by the names of the targets
   */
  public LambdaTransport(Map<String, LambdaEndpoint> endpoints) {
    this.endpoints = Map.copyOf(endpoints);
  }

  @Override
  public CompletableFuture<byte[]> call(String target, byte[] request, Duration patience)
      throws InterruptedException {
    return endpoints.get(target).post(request, patience);
  }

  /** Closes all connections, whatever is outstanding. */
  @Override
  public void close() {
    endpoints.values().forEach(LambdaEndpoint::close);
  }
}
