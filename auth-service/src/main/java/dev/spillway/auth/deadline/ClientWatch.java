package dev.spillway.auth.deadline;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * Ties a deadline to a client's connection: when the client goes away the deadline passes at once
 * and the thread that works for it is interrupted. Close it when the answer is made.
 */
public final class ClientWatch implements AutoCloseable {
  private final Deadline deadline;
  private final Thread worker = Thread.currentThread();
  private boolean closed;

  private ClientWatch(Deadline deadline) {
    this.deadline = deadline;
  }

  /**
   * Watches for the calling thread, which must be this request's own (virtual) thread.
   *
   * @param limit from the arrival of the request
   */
  public static ClientWatch over(RoutingContext exchange, Duration limit) {
    HttpServerResponse response = exchange.response();
    ClientWatch watch = new ClientWatch(Deadline.in(limit.minus(Arrival.age(exchange))));
    response.closeHandler(gone -> watch.clientGone());
    if (response.closed()) {
      watch.clientGone();
    }
    return watch;
  }

  public Deadline deadline() {
    return deadline;
  }

  private synchronized void clientGone() {
    if (!closed) {
      deadline.abandon();
      worker.interrupt();
    }
  }

  /** After this no interrupt comes from here, and one that did come is cleared. */
  @Override
  public synchronized void close() {
    closed = true;
    if (deadline.abandoned()) {
      Thread.interrupted();
    }
  }
}
