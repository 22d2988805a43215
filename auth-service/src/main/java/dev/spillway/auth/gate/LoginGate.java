package dev.spillway.auth.gate;

import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.UnreadBody;
import dev.spillway.auth.network.ClientNetworks;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;

/**
 * Filter that asks the gate about each {@code POST /login}. It runs on the event loop when the head
 * of a request has arrived: before the body is read, and before any thread, look-up, count or row.
 */
@ApplicationScoped
public class LoginGate {
  private static final String LOGIN = "/login";
  private static final String PLACE = Entry.Place.class.getName();

  /**
   * After paths were checked and CORS headers set, so that a page of another origin can read a
   * refusal; before a token is looked at.
   */
  private static final int PRIORITY = SecurityHandlerPriorities.CORS - 50;

  private final Gate gate;
  private final ClientNetworks networks;
  private final GateMeters meters;
  private final Refusal refusal;
  private final OwnRequests own;

  LoginGate(
      Gate gate, ClientNetworks networks, GateMeters meters, Refusal refusal, OwnRequests own) {
    this.own = own;
    this.gate = gate;
    this.networks = networks;
    this.meters = meters;
    this.refusal = refusal;
  }

  void register(@Observes Filters filters) {
    filters.register(this::filter, PRIORITY);
  }

  /**
   * The place of a login that is inside.
   *
   * @return the gate's decision of now, if the request has not passed the filter
   */
  public Entry entry(RoutingContext exchange) {
    Entry.Place place = exchange.get(PLACE);
    return place == null ? enter(exchange) : place;
  }

  /**
   * The same, as a place. Of what hashes, only a login is decided by the filter: all else wants a
   * token, and a forged one may not take a place.
   *
   * @throws Overloaded if there is none
   */
  public Entry.Place place(RoutingContext exchange) {
    return switch (entry(exchange)) {
      case Entry.Place place -> place;
      case Entry.Refused refused -> throw new Overloaded(Duration.ofSeconds(1));
    };
  }

  private void filter(RoutingContext exchange) {
    if (exchange.request().method() != HttpMethod.POST
        || !LOGIN.equals(exchange.request().path())) {
      exchange.next();
      return;
    }
    if (own.pass(exchange.request())) {
      exchange.next();
      return;
    }
    if (own.areRefused(exchange.request())) {
      networks.of(exchange.request()).text();
      refuse(exchange);
      return;
    }
    switch (enter(exchange)) {
      case Entry.Place place -> {
        exchange.put(PLACE, place);
        // For clients that leave before the login begins, and requests refused on the way to it.
        exchange.addEndHandler(ended -> place.close());
        if (exchange.response().closed()) {
          place.close();
        }
        exchange.next();
      }
      case Entry.Refused refused -> refuse(exchange);
    }
  }

  private void refuse(RoutingContext exchange) {
    UnreadBody.discardAfterAnswer(exchange);
    refusal.answer(exchange.response());
  }

  private Entry enter(RoutingContext exchange) {
    Entry entry = gate.enter(() -> networks.of(exchange.request()).text());
    if (entry instanceof Entry.Refused(Entry.Refused.Reason reason)) {
      meters.refused(reason);
    }
    return entry;
  }
}
