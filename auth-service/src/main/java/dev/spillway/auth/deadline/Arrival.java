package dev.spillway.auth.deadline;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;

/**
 * Notes when a request's head was read, on the event loop: a deadline that began only when a thread
 * got round to the request would not notice the very delays it is for.
 */
@ApplicationScoped
class Arrival {
  private static final String KEY = Arrival.class.getName();

  /** Filters of higher priority run first; nothing of ours comes before this one. */
  private static final int FIRST = 10_000;

  void register(@Observes Filters filters) {
    filters.register(
        exchange -> {
          exchange.put(KEY, System.nanoTime());
          exchange.next();
        },
        FIRST);
  }

  /** Time since the request arrived. */
  static Duration age(RoutingContext exchange) {
    Long arrived = exchange.get(KEY);
    return arrived == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - arrived);
  }
}
