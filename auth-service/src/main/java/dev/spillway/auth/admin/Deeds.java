package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.network.ClientNetworks;
import dev.spillway.auth.users.LoginName;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Tells the audit log what the admin of the present request has done. */
@ApplicationScoped
class Deeds {
  private final AuditLog audit;
  private final ClientNetworks networks;
  private final JsonWebToken token;
  private final RoutingContext exchange;

  Deeds(AuditLog audit, ClientNetworks networks, JsonWebToken token, RoutingContext exchange) {
    this.audit = audit;
    this.networks = networks;
    this.token = token;
    this.exchange = exchange;
  }

  void done(Action action, LoginName login, String outcome) {
    audit.add(event(action, login.text(), outcome));
  }

  /** Of a deed that concerns no account. */
  void done(Action action, String outcome) {
    audit.add(event(action, null, outcome));
  }

  /** Of many accounts; returns when it is written. */
  void imported(List<LoginName> logins) {
    audit.addAll(
        logins.stream().map(login -> event(Action.IMPORT_USER, login.text(), "done")).toList());
  }

  private AuditEvent event(Action action, String login, String outcome) {
    String network = networks.of(exchange.request()).text();
    return new AuditEvent(
        action, login, login != null, token.getSubject(), network, outcome, AuditEvent.Path.NONE);
  }
}
