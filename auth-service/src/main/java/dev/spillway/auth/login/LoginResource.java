package dev.spillway.auth.login;

import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.deadline.ClientWatch;
import dev.spillway.auth.gate.Entry;
import dev.spillway.auth.gate.LoginGate;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.network.ClientNetworks;
import dev.spillway.auth.sessions.Granted;
import dev.spillway.auth.sessions.Sessions;
import dev.spillway.hashing.deadline.Deadline;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** {@code POST /login}: name and password in, token out. */
@Path("/login")
@Tag(name = "login", description = "Tokens for passwords, and sessions.")
class LoginResource {
  private final Login login;
  private final Sessions sessions;
  private final HashingConfig config;
  private final ClientNetworks networks;
  private final LoginGate gate;

  LoginResource(
      Login login,
      Sessions sessions,
      HashingConfig config,
      ClientNetworks networks,
      LoginGate gate) {
    this.login = login;
    this.sessions = sessions;
    this.config = config;
    this.networks = networks;
    this.gate = gate;
  }

  @POST
  @PermitAll
  @RunOnVirtualThread
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(summary = "Log in", description = "Costs one password hash, whatever the answer.")
  @APIResponse(
      responseCode = "200",
      description = "The password is right.",
      content = @Content(schema = @Schema(implementation = Granted.class)))
  @APIResponse(responseCode = "400", description = "Malformed, or a field is missing.")
  @APIResponse(responseCode = "401", description = "Wrong login or password.")
  @APIResponse(responseCode = "413", description = "Over 4 KiB.")
  @APIResponse(responseCode = "415", description = "Not JSON.")
  @APIResponse(
      responseCode = "429",
      description =
          "Too many failed attempts on this account or from this network. Try again after"
              + " Retry-After seconds.")
  @APIResponse(
      responseCode = "503",
      description = "Overloaded; nothing was decided. Try again after Retry-After seconds.")
  public RestResponse<Granted> login(Credentials credentials, @Context RoutingContext http) {
    // For all logins alike, and before any is looked up.
    Credentials.require(credentials);
    byte[] password = credentials.password().utf8();
    credentials.password().wipe();
    Deadline deadline = ClientWatch.deadline(http, config.deadline());
    try (Entry.Place place = gate.place(http)) {
      ClientNetwork network = networks.of(http.request());
      LoginOutcome<Granted> outcome =
          login.attempt(
              Action.LOGIN, credentials.login(), password, network, deadline, sessions::begin);
      if (outcome.hashed()) {
        place.hashed();
      }
      return switch (outcome) {
        case LoginOutcome.Granted(Granted tokens, var path) -> RestResponse.ok(tokens);
        case LoginOutcome.Denied<Granted> denied -> throw denied();
        case LoginOutcome.Undecided<Granted> undecided -> throw undecided.toException();
      };
    } finally {
      Arrays.fill(password, (byte) 0);
    }
  }

  /** A new one each time: filters write headers into it. */
  private static WebApplicationException denied() {
    return Problem.toException(
        Problem.unauthorized("Wrong login or password.").toBuilder()
            .header("WWW-Authenticate", "Bearer")
            .build());
  }

  /**
   * The body of a request. Checked by hand: for the one endpoint that is called all the time, bean
   * validation took a tenth of what the service itself costs.
   */
  record Credentials(@Schema(examples = "ada") @NotEmpty String login, @NotNull Secret password) {
    private static final String EMPTY = PasswordFault.EMPTY.message();

    static void require(Credentials body) {
      List<Problem.Refused> refused = new ArrayList<>();
      if (body.login == null || body.login.isEmpty()) {
        refused.add(new Problem.Refused("login", EMPTY));
      }
      if (body.password == null || body.password.isEmpty()) {
        refused.add(new Problem.Refused("password", EMPTY));
      }
      if (!refused.isEmpty()) {
        throw Problem.invalid(refused).toException();
      }
    }

    @Override
    public String toString() {
      return "Credentials[hidden]";
    }
  }
}
