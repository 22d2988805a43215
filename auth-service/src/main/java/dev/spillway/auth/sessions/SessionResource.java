package dev.spillway.auth.sessions;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.network.ClientNetworks;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code POST /refresh} and {@code POST /logout}: going on without a password, and not. */
@Path("/")
@PermitAll
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "login")
class SessionResource {
  private final Sessions sessions;
  private final ClientNetworks networks;

  SessionResource(Sessions sessions, ClientNetworks networks) {
    this.sessions = sessions;
    this.networks = networks;
  }

  @POST
  @Path("refresh")
  @Operation(
      summary = "Get a new token for a refresh token",
      description =
          "The refresh token is good once; the answer brings the next one. Used a second time after"
              + " more than a few seconds, it ends the session. Costs no hash.")
  @APIResponse(
      responseCode = "200",
      description = "A token, and the next refresh token.",
      content = @Content(schema = @Schema(implementation = Granted.class)))
  @APIResponse(responseCode = "400", description = "Malformed, or the field is missing.")
  @APIResponse(responseCode = "401", description = "The session is over, or there was none.")
  @APIResponse(responseCode = "404", description = "This service gives no refresh tokens.")
  @APIResponse(responseCode = "413", description = "Over 4 KiB.")
  @APIResponse(responseCode = "415", description = "Not JSON.")
  @APIResponse(responseCode = "503", description = "The database does not answer.")
  public Response refresh(@NotNull ShownSecret body, @Context RoutingContext http) {
    return secret(body)
        .flatMap(shown -> sessions.refresh(shown, networks.of(http.request())))
        .map(granted -> Response.ok(granted).type(MediaType.APPLICATION_JSON_TYPE).build())
        .orElseGet(SessionResource::over);
  }

  @POST
  @Path("logout")
  @Operation(
      summary = "End a session",
      description =
          "No refresh token of this session is good from now on. A token that was already given is"
              + " good until it expires.")
  @APIResponse(responseCode = "204", description = "The session is over, if there was one.")
  @APIResponse(responseCode = "400", description = "Malformed, or the field is missing.")
  @APIResponse(responseCode = "404", description = "This service gives no refresh tokens.")
  @APIResponse(responseCode = "413", description = "Over 4 KiB.")
  @APIResponse(responseCode = "415", description = "Not JSON.")
  @APIResponse(responseCode = "503", description = "The database does not answer.")
  public Response logout(@NotNull ShownSecret body, @Context RoutingContext http) {
    secret(body).ifPresent(shown -> sessions.end(shown, networks.of(http.request())));
    return Response.noContent().build();
  }

  /** Empty if it is none of ours. */
  private Optional<RefreshSecret> secret(ShownSecret body) {
    if (!sessions.enabled()) {
      throw Problem.of(
              Response.Status.NOT_FOUND,
              "sessions-off",
              "Refresh tokens are not given here: spillway.sessions.enabled is false.")
          .toException();
    }
    Secret shown = body.refreshToken();
    if (shown == null) {
      throw Problem.invalid(new Problem.Refused("refresh_token", "must not be null")).toException();
    }
    try {
      return RefreshSecret.parse(shown);
    } finally {
      shown.wipe();
    }
  }

  /** The same whatever the reason. */
  private static Response over() {
    return Problem.of(
            Response.Status.UNAUTHORIZED, "session-over", "The session is over. Log in again.")
        .toBuilder()
        .header("WWW-Authenticate", "Bearer")
        .build();
  }

  /** The body of a request. */
  record ShownSecret(@JsonProperty("refresh_token") @Schema(required = true) Secret refreshToken) {
    @Override
    public String toString() {
      return "ShownSecret[hidden]";
    }
  }
}
