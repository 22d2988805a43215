package dev.spillway.auth.login;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.deadline.ClientWatch;
import dev.spillway.auth.gate.Entry;
import dev.spillway.auth.gate.LoginGate;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.network.ClientNetworks;
import dev.spillway.auth.passwords.NewPassword;
import dev.spillway.auth.sessions.Granted;
import dev.spillway.auth.sessions.Sessions;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserDirectory.ChangeResult;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.deadline.Deadline;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /me}: the user that the token names, and its password. */
@Path("/me")
@Authenticated
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "login")
@SecurityRequirement(name = "token")
class MeResource {
  private final JsonWebToken token;
  private final Login login;
  private final LoginGate gate;
  private final ClientNetworks networks;
  private final NewPassword newPassword;
  private final HashingConfig config;
  private final UserDirectory users;
  private final Sessions sessions;
  private final AuditLog audit;

  MeResource(
      JsonWebToken token,
      Login login,
      LoginGate gate,
      ClientNetworks networks,
      NewPassword newPassword,
      HashingConfig config,
      UserDirectory users,
      Sessions sessions,
      AuditLog audit) {
    this.token = token;
    this.login = login;
    this.gate = gate;
    this.networks = networks;
    this.newPassword = newPassword;
    this.config = config;
    this.users = users;
    this.sessions = sessions;
    this.audit = audit;
  }

  @GET
  @Operation(summary = "Who am I", description = "What the token says; the database is not asked.")
  @APIResponse(responseCode = "200", description = "The token is good.")
  @APIResponse(responseCode = "401", description = "The token is missing or not valid.")
  public Me me() {
    return new Me(token.getSubject(), new TreeSet<>(token.getGroups()), token.getExpirationTime());
  }

  @POST
  @Path("password")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Change my password",
      description =
          "Costs two password hashes. A wrong old password counts as one at a login does. All"
              + " sessions of before are over; the answer begins a new one.")
  @APIResponse(
      responseCode = "200",
      description = "It is changed; a new token.",
      content = @Content(schema = @Schema(implementation = Granted.class)))
  @APIResponse(responseCode = "400", description = "The new password cannot be set.")
  @APIResponse(responseCode = "401", description = "The token is missing or not valid.")
  @APIResponse(responseCode = "403", description = "The old password is wrong.")
  @APIResponse(responseCode = "409", description = "The account was changed meanwhile.")
  @APIResponse(responseCode = "413", description = "Over 4 KiB.")
  @APIResponse(responseCode = "415", description = "Not JSON.")
  @APIResponse(responseCode = "429", description = "Too many failed attempts.")
  @APIResponse(responseCode = "503", description = "Overloaded; nothing was changed.")
  public Granted changePassword(@NotNull @Valid NewSecret body, @Context RoutingContext http) {
    byte[] old = body.oldPassword().utf8();
    byte[] chosen = body.newPassword().utf8();
    body.oldPassword().wipe();
    body.newPassword().wipe();
    Deadline deadline = ClientWatch.deadline(http, config.deadline());
    try (Entry.Place place = gate.place(http);
        PasswordForms forms = PasswordForms.of(chosen)) {
      String name = token.getSubject();
      newPassword.check(
          forms, LoginName.parse(name).orElseThrow(MeResource::noUser), "new_password");
      ClientNetwork network = networks.of(http.request());
      LoginOutcome<UserRecord> outcome =
          login.attempt(Action.CHANGE_PASSWORD, name, old, network, deadline, Function.identity());
      if (outcome.hashed()) {
        place.hashed();
      }
      return switch (outcome) {
        case LoginOutcome.Granted<UserRecord>(UserRecord user, var path) ->
            change(user, newPassword.hash(forms, deadline).encoded(), network);
        case LoginOutcome.Denied<UserRecord> denied -> throw wrong();
        case LoginOutcome.Undecided<UserRecord> undecided -> throw undecided.toException();
      };
    } finally {
      Arrays.fill(old, (byte) 0);
      Arrays.fill(chosen, (byte) 0);
    }
  }

  /** Only of the user whose password was right: another one since, or a disabled one, stays. */
  private Granted change(UserRecord seen, String hash, ClientNetwork network) {
    AuditEvent done =
        AuditEvent.of(Action.SET_PASSWORD, seen.login().text(), network.text(), "done");
    ChangeResult result =
        users.setPasswordHash(
            new WhichUser(seen.id(), now -> now.epoch() == seen.epoch() && !now.disabled()),
            hash,
            audit.rowsOf(changed -> changed ? List.of(done) : List.of()));
    return switch (result) {
      case DONE -> sessions.begin(users.find(seen.id()).orElseThrow(MeResource::noUser));
      case NO_SUCH_USER -> throw noUser();
      case OTHER_STATE, LAST_ADMIN ->
          throw Problem.conflict("The account was changed meanwhile.").toException();
    };
  }

  /** No 401: the token is good. */
  private static RuntimeException wrong() {
    return Problem.of(Response.Status.FORBIDDEN, "wrong-password", "The old password is wrong.")
        .toException();
  }

  private static RuntimeException noUser() {
    return Problem.conflict("There is no user of this token any more.").toException();
  }

  /**
   * @param exp second since 1970 at which the token ends
   */
  record Me(String login, Set<String> groups, long exp) {}

  /** The body of a request. */
  @Schema(name = "PasswordOfMine")
  record NewSecret(
      @JsonProperty("old_password") @NotNull Secret oldPassword,
      @JsonProperty("new_password") @NotNull Secret newPassword) {
    @Override
    public String toString() {
      return "NewSecret[hidden]";
    }
  }
}
