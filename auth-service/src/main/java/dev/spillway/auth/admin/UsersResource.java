package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.users.GroupNames;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /users}: what an admin does with users, one at a time. */
@Path("/users")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "users")
@SecurityRequirement(name = "token")
class UsersResource {
  private static final String REFUSED =
      "Malformed, or a field is missing or not acceptable. A password that stands in the list of"
          + " breached ones, where there is a list, is urn:spillway:breached-password.";

  private final UserDirectory users;
  private final NewPassword newPassword;
  private final Deeds deeds;

  UsersResource(UserDirectory users, NewPassword newPassword, Deeds deeds) {
    this.users = users;
    this.newPassword = newPassword;
    this.deeds = deeds;
  }

  @POST
  @Operation(summary = "Create a user")
  @APIResponse(responseCode = "201", description = "Created.")
  @APIResponse(responseCode = "400", description = REFUSED)
  @APIResponse(responseCode = "409", description = "There is a user of this login.")
  public Response create(@NotNull @Valid Creation body, @Context RoutingContext http) {
    LoginName login =
        LoginName.parse(body.login()).orElseThrow(() -> refused("login", LoginName.RULE));
    Set<String> groups =
        GroupNames.parse(body.groups()).orElseThrow(() -> refused("groups", GroupNames.RULE));
    return newPassword
        .hash(body.password(), http)
        .map(hash -> create(new NewUser(login, hash.encoded(), false, false, groups)))
        .orElseGet(() -> Response.noContent().build());
  }

  private Response create(NewUser user) {
    if (!users.create(user, deeds.change(Action.CREATE_USER, user.login(), "done"))) {
      return Problem.conflict("There is a user of this login.").toResponse();
    }
    return Response.created(UriBuilder.fromPath("/users/{login}").build(user.login().text()))
        .build();
  }

  @GET
  @Operation(summary = "List users by ascending id")
  public Page list(
      @QueryParam("after") @DefaultValue("0") @Min(0) long after,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(1000) int limit) {
    return new Page(users.list(after, limit).stream().map(Shown::of).toList());
  }

  @GET
  @Path("{login}")
  @Operation(summary = "Show a user")
  public Shown show(@PathParam("login") String login) {
    return LoginName.parse(login)
        .flatMap(users::find)
        .map(Shown::of)
        .orElseThrow(UsersResource::noSuchUser);
  }

  @PUT
  @Path("{login}/password")
  @Operation(summary = "Set a user's password")
  @APIResponse(responseCode = "204", description = "It is set, and all sessions are over.")
  @APIResponse(responseCode = "400", description = REFUSED)
  public Response setPassword(
      @PathParam("login") String login,
      @NotNull @Valid PasswordChange body,
      @Context RoutingContext http) {
    LoginName name =
        LoginName.parse(login)
            .filter(known -> users.find(known).isPresent())
            .orElseThrow(UsersResource::noSuchUser);
    return newPassword
        .hash(body.password(), http)
        .map(
            hash ->
                done(
                    users.setPasswordHash(
                        name, hash.encoded(), deeds.change(Action.SET_PASSWORD, name, "done"))))
        .orElseGet(() -> Response.noContent().build());
  }

  @PUT
  @Path("{login}/disabled")
  @Operation(summary = "Disable a user, or enable it again")
  @APIResponse(responseCode = "204", description = "Done.")
  public Response setDisabled(@PathParam("login") String login, @NotNull @Valid Disabling body) {
    LoginName name = LoginName.parse(login).orElseThrow(UsersResource::noSuchUser);
    return done(
        users.setDisabled(
            name,
            body.disabled(),
            deeds.change(Action.SET_DISABLED, name, body.disabled() ? "disabled" : "enabled")));
  }

  @DELETE
  @Path("{login}/sessions")
  @Operation(
      summary = "End a user's sessions",
      description =
          "No refresh token that was given before is good from now on. Setting a password and"
              + " disabling do the same.")
  @APIResponse(responseCode = "204", description = "They are over, if there were any.")
  @APIResponse(responseCode = "404", description = "No such user.")
  public Response endSessions(@PathParam("login") String login) {
    LoginName name = LoginName.parse(login).orElseThrow(UsersResource::noSuchUser);
    return done(users.endEpoch(name, deeds.change(Action.END_SESSIONS, name, "done")));
  }

  private static Response done(boolean found) {
    if (!found) {
      throw noSuchUser();
    }
    return Response.noContent().build();
  }

  private static RuntimeException noSuchUser() {
    return Problem.notFound("There is no user of this login.").toException();
  }

  private static RuntimeException refused(String field, String rule) {
    return Problem.invalid(new Problem.Refused(field, rule)).toException();
  }

  record Creation(@NotNull String login, @NotNull Secret password, List<String> groups) {}

  record PasswordChange(@NotNull Secret password) {}

  record Disabling(@NotNull Boolean disabled) {}

  record Page(List<Shown> users) {}

  /** A user as an admin sees one: everything but the hash. */
  record Shown(long id, String login, Set<String> groups, boolean disabled, boolean legacy) {
    static Shown of(UserRecord user) {
      return new Shown(
          user.id(),
          user.login().text(),
          new TreeSet<>(user.groups()),
          user.disabled(),
          user.legacy());
    }
  }
}
