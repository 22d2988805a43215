package dev.spillway.auth.deadline;

import dev.spillway.hashing.deadline.Deadline;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** Ties deadlines to a client's connection: when the client goes away, they pass at once. */
public final class ClientWatch {
  private ClientWatch() {}

  /**
   * A deadline for the request; in place of any other made for it before.
   *
   * @param limit from the arrival of the request
   */
  public static Deadline deadline(RoutingContext exchange, Duration limit) {
    return watched(exchange.response(), limit.minus(Arrival.age(exchange)));
  }

  /**
   * A deadline for one step of a long request, from now on; in place of any other made before.
   *
   * @param limit of this step
   */
  public static Deadline stepDeadline(RoutingContext exchange, Duration limit) {
    return watched(exchange.response(), limit);
  }

  private static Deadline watched(HttpServerResponse response, Duration fromNow) {
    Deadline deadline = Deadline.in(fromNow);
    response.closeHandler(gone -> deadline.abandon());
    if (response.closed()) {
      deadline.abandon();
    }
    return deadline;
  }
}
