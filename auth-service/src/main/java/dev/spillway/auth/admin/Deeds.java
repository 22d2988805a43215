package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.network.ClientNetworks;
import dev.spillway.auth.users.LoginName;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Tells the audit log what the admin of the present request has done to an account. */
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
    String network = networks.of(exchange.request()).text();
    audit.add(
        new AuditEvent(
            action,
            login.text(),
            true,
            token.getSubject(),
            network,
            outcome,
            AuditEvent.Path.NONE));
  }
}
