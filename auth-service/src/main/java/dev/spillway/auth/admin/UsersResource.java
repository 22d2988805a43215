package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.http.ClientGone;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.users.GroupNames;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserDirectory.ChangeResult;
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
import jakarta.ws.rs.PATCH;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
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

  private static final String LAST_ADMIN = "This is the last admin who can log in.";

  /** Any positive BIGINT but the longest. */
  private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,17}");

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
        .orElseThrow(ClientGone::toException);
  }

  private Response create(NewUser user) {
    if (!users.create(user, deeds.change(Action.CREATE_USER, user.login(), "done"))) {
      return Problem.conflict("There is a user of this login.").toResponse();
    }
    // Deleted since, it has no place to be at.
    return users
        .find(user.login())
        .map(made -> Response.created(UriBuilder.fromPath("/users/{id}").build(made.id())).build())
        .orElseGet(() -> Response.noContent().build());
  }

  @GET
  @Operation(summary = "List users by ascending id, or find one by login")
  public Page list(
      @QueryParam("login") String login,
      @QueryParam("after") @DefaultValue("0") @Min(0) long after,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(1000) int limit) {
    List<UserRecord> found =
        login == null
            ? users.list(after, limit)
            : LoginName.parse(login).flatMap(users::find).stream()
                .filter(user -> user.id() > after)
                .toList();
    return new Page(found.stream().map(Shown::of).toList());
  }

  @GET
  @Path("{id}")
  @Operation(summary = "Show a user")
  @APIResponse(responseCode = "404", description = "No such user.")
  public Shown show(@PathParam("id") String id) {
    return Shown.of(user(id));
  }

  @PATCH
  @Path("{id}")
  @Operation(
      summary = "Change a user's groups",
      description = "They stand in the user's next token; an admin's rights change at once.")
  @APIResponse(responseCode = "204", description = "Done.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  public Response change(@PathParam("id") String id, @NotNull @Valid Change body) {
    Set<String> groups =
        GroupNames.parse(body.groups()).orElseThrow(() -> refused("groups", GroupNames.RULE));
    UserRecord user = user(id);
    return done(
        users.setGroups(user.id(), groups, deeds.change(Action.SET_GROUPS, user.login(), "done")));
  }

  @DELETE
  @Path("{id}")
  @Operation(summary = "Delete a user and its sessions")
  @APIResponse(responseCode = "204", description = "Deleted.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  public Response delete(@PathParam("id") String id) {
    UserRecord user = user(id);
    return done(users.delete(user.id(), deeds.change(Action.DELETE_USER, user.login(), "done")));
  }

  @PUT
  @Path("{id}/password")
  @Operation(summary = "Set a user's password")
  @APIResponse(responseCode = "204", description = "It is set, and all sessions are over.")
  @APIResponse(responseCode = "400", description = REFUSED)
  @APIResponse(responseCode = "404", description = "No such user.")
  public Response setPassword(
      @PathParam("id") String id,
      @NotNull @Valid PasswordChange body,
      @Context RoutingContext http) {
    UserRecord user = user(id);
    return newPassword
        .hash(body.password(), http)
        .map(
            hash ->
                done(
                    users.setPasswordHash(
                        user.id(),
                        hash.encoded(),
                        deeds.change(Action.SET_PASSWORD, user.login(), "done"))))
        .orElseThrow(ClientGone::toException);
  }

  @PUT
  @Path("{id}/disabled")
  @Operation(summary = "Disable a user, or enable it again")
  @APIResponse(responseCode = "204", description = "Done.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  public Response setDisabled(@PathParam("id") String id, @NotNull @Valid Disabling body) {
    UserRecord user = user(id);
    return done(
        users.setDisabled(
            user.id(),
            body.disabled(),
            deeds.change(
                Action.SET_DISABLED, user.login(), body.disabled() ? "disabled" : "enabled")));
  }

  @DELETE
  @Path("{id}/sessions")
  @Operation(
      summary = "End a user's sessions",
      description =
          "No refresh token that was given before is good from now on. Setting a password and"
              + " disabling do the same.")
  @APIResponse(responseCode = "204", description = "They are over, if there were any.")
  @APIResponse(responseCode = "404", description = "No such user.")
  public Response endSessions(@PathParam("id") String id) {
    UserRecord user = user(id);
    return done(users.endEpoch(user.id(), deeds.change(Action.END_SESSIONS, user.login(), "done")));
  }

  /** Text, for an id that is no number is the id of nobody. */
  private UserRecord user(String id) {
    return Optional.of(id)
        .filter(text -> ID.matcher(text).matches())
        .flatMap(text -> users.find(Long.parseLong(text)))
        .orElseThrow(UsersResource::noSuchUser);
  }

  private static Response done(boolean found) {
    if (!found) {
      throw noSuchUser();
    }
    return Response.noContent().build();
  }

  private static Response done(ChangeResult result) {
    return switch (result) {
      case DONE -> done(true);
      case NO_SUCH_USER -> done(false);
      case LAST_ADMIN ->
          Problem.of(Response.Status.CONFLICT, "last-admin", LAST_ADMIN).toResponse();
    };
  }

  private static RuntimeException noSuchUser() {
    return Problem.notFound("There is no user of this id.").toException();
  }

  private static RuntimeException refused(String field, String rule) {
    return Problem.invalid(new Problem.Refused(field, rule)).toException();
  }

  record Creation(@NotNull String login, @NotNull Secret password, List<String> groups) {}

  @Schema(name = "UserChange")
  record Change(@NotNull List<String> groups) {}

  record PasswordChange(@NotNull Secret password) {}

  record Disabling(@NotNull Boolean disabled) {}

  @Schema(name = "UserPage")
  record Page(List<Shown> users) {}

  /** A user as an admin sees one: everything but the hash. */
  @Schema(name = "User")
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
