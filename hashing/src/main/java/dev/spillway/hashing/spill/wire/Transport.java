package dev.spillway.hashing.spill.wire;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Carries a request to a function and its reply back. The library makes requests and reads replies;
 * the transport chooses the protocol, the connections and the credentials.
 */
@FunctionalInterface
public interface Transport extends AutoCloseable {
  /**
   * Sends one request, once. It must not wait for the reply. The future completes with the reply's
   * bytes, or with a {@link TransportFailure} that says what kind of failure it was; an {@link
   * java.io.IOException} counts as {@link SpillAnswer.Reason#UNREACHABLE}. The call has no timeout
   * of its own: the future is cancelled when the reply is not needed any more, and then the call is
   * to be broken off.
   *
   * @param target the function, by the name it has in the configuration of the spill
   * @param request passwords are in it; it is wiped when the future is done
   * @param patience how long it may block before the request is sent, for instance to find
   *     credentials for the first time
   */
  CompletableFuture<byte[]> call(String target, byte[] request, Duration patience)
      throws InterruptedException;

  /** Breaks off whatever is outstanding. */
  @Override
  default void close() {}
}
