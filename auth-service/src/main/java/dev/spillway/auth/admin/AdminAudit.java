package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.network.ClientNetworks;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Tells the audit log what the admin of the present request has done. */
@ApplicationScoped
class AdminAudit {
  private final AuditLog audit;
  private final ClientNetworks networks;
  private final JsonWebToken token;
  private final RoutingContext exchange;

  AdminAudit(AuditLog audit, ClientNetworks networks, JsonWebToken token, RoutingContext exchange) {
    this.audit = audit;
    this.networks = networks;
    this.token = token;
    this.exchange = exchange;
  }

  /** What goes along with a change of an account. */
  AddedRows<Boolean> change(Action action, LoginName login, String outcome) {
    return rows(event(action, login.text(), outcome));
  }

  /** With a change that concerns no account. */
  AddedRows<Boolean> change(Action action, String outcome) {
    return rows(event(action, null, outcome));
  }

  /** What goes along with an import: an entry for each account that was not there. */
  AddedRows<List<UserDirectory.ImportResult>> imports(List<NewUser> users) {
    return audit.rowsOf(
        results ->
            IntStream.range(0, results.size())
                .filter(i -> results.get(i) == UserDirectory.ImportResult.CREATED)
                .mapToObj(i -> event(Action.IMPORT_USER, users.get(i).login().text(), "done"))
                .toList());
  }

  private AddedRows<Boolean> rows(AuditEvent event) {
    return audit.rowsOf(changed -> changed ? List.of(event) : List.of());
  }

  private AuditEvent event(Action action, String login, String outcome) {
    String network = networks.of(exchange.request()).text();
    return new AuditEvent(
        action, login, login != null, token.getSubject(), network, outcome, AuditEvent.Path.NONE);
  }
}
