package dev.spillway.auth.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.passwords.NewPassword;
import dev.spillway.auth.throttle.Throttle;
import dev.spillway.auth.users.GroupNames;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserDirectory.ChangeResult;
import dev.spillway.auth.users.UserFilter;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
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
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /users}: what an admin does with users, one at a time. */
@Path("/users")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "users", description = "Users, by an admin.")
@SecurityRequirement(name = "token")
class UsersResource {
  private static final String REFUSED =
      "Malformed, or a field is missing or not acceptable. A password that stands in the list of"
          + " breached ones, where there is a list, is urn:spillway:breached-password.";

  private static final String LAST_ADMIN = "This is the last admin who can log in.";

  /** Any positive BIGINT but the longest. */
  private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,17}");

  private static final String STALE = "The user is not as If-Match says any more.";

  private final UserDirectory users;
  private final NewPassword newPassword;
  private final Throttle throttle;
  private final AdminAudit audit;

  UsersResource(UserDirectory users, NewPassword newPassword, Throttle throttle, AdminAudit audit) {
    this.users = users;
    this.newPassword = newPassword;
    this.throttle = throttle;
    this.audit = audit;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(summary = "Create a user")
  @APIResponse(
      responseCode = "201",
      description = "Created.",
      headers = @Header(name = HttpHeaders.LOCATION, schema = @Schema(type = SchemaType.STRING)))
  @APIResponse(responseCode = "400", description = REFUSED)
  @APIResponse(responseCode = "409", description = "There is a user of this login.")
  public Response create(@NotNull @Valid Creation body, @Context RoutingContext http) {
    LoginName login =
        LoginName.parse(body.login()).orElseThrow(() -> refused("login", LoginName.RULE));
    Set<String> groups =
        GroupNames.parse(body.groups()).orElseThrow(() -> refused("groups", GroupNames.RULE));
    String hash = newPassword.hash(body.password(), login, http).encoded();
    return create(new NewUser(login, hash, false, false, groups));
  }

  private Response create(NewUser user) {
    if (!users.create(user, audit.change(Action.CREATE_USER, user.login(), "done"))) {
      return Problem.conflict("There is a user of this login.").toResponse();
    }
    // Deleted since, it has no place to be at.
    return users
        .find(user.login())
        .map(made -> Response.created(UriBuilder.fromPath("/users/{id}").build(made.id())).build())
        .orElseGet(() -> Response.noContent().build());
  }

  @GET
  @Operation(summary = "List users by ascending id")
  public Page list(
      @QueryParam("login") String login,
      @Parameter(description = "How logins begin.") @QueryParam("login_prefix") String loginPrefix,
      @Parameter(description = "A group that they are in.") @QueryParam("group") String group,
      @QueryParam("disabled") @jakarta.validation.constraints.Pattern(regexp = "true|false")
          String disabled,
      @Parameter(description = Cursor.DESCRIPTION) @QueryParam("cursor") String cursor,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(1000) int limit) {
    Cursor from = Cursor.parse("users", cursor);
    Optional<LoginName> name = Optional.ofNullable(login).flatMap(LoginName::parse);
    UserFilter filter =
        new UserFilter(
            name,
            Optional.ofNullable(loginPrefix).map(UsersResource::prefix),
            Optional.ofNullable(group).map(UsersResource::group),
            Optional.ofNullable(disabled).map(Boolean::valueOf));
    // Nobody has a login that is none.
    List<UserRecord> found =
        login != null && name.isEmpty() ? List.of() : users.list(filter, from.after(), limit);
    Cursor next = found.isEmpty() ? from : from.behind(found.getLast().id());
    return new Page(found.stream().map(Shown::of).toList(), next.text());
  }

  @GET
  @Path("{id}")
  @Operation(
      summary = "Show a user",
      description = "Its ETag, as If-Match of a change, lets only a change of this state happen.")
  @APIResponse(
      responseCode = "200",
      description = "The user.",
      headers = @Header(name = HttpHeaders.ETAG, schema = @Schema(type = SchemaType.STRING)),
      content = @Content(schema = @Schema(implementation = Shown.class)))
  @APIResponse(responseCode = "404", description = "No such user.")
  public Response show(@PathParam("id") String id) {
    UserRecord user = user(id);
    return Response.ok(Shown.of(user)).header(HttpHeaders.ETAG, tag(user)).build();
  }

  @PATCH
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{id}")
  @Operation(
      summary = "Change a user's groups",
      description = "They stand in the user's next token; an admin's rights change at once.")
  @APIResponse(responseCode = "204", description = "Done.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  @APIResponse(responseCode = "412", description = STALE)
  public Response change(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
      @NotNull @Valid Change body) {
    Set<String> groups =
        GroupNames.parse(body.groups()).orElseThrow(() -> refused("groups", GroupNames.RULE));
    UserRecord user = user(id);
    return done(
        users.setGroups(
            which(user, ifMatch), groups, audit.change(Action.SET_GROUPS, user.login(), "done")));
  }

  @DELETE
  @Path("{id}")
  @Operation(summary = "Delete a user and its sessions")
  @APIResponse(responseCode = "204", description = "Deleted.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  @APIResponse(responseCode = "412", description = STALE)
  public Response delete(
      @PathParam("id") String id, @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch) {
    UserRecord user = user(id);
    return done(
        users.delete(which(user, ifMatch), audit.change(Action.DELETE_USER, user.login(), "done")));
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{id}/password")
  @Operation(summary = "Set a user's password")
  @APIResponse(responseCode = "204", description = "It is set, and all sessions are over.")
  @APIResponse(responseCode = "400", description = REFUSED)
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "412", description = STALE)
  public Response setPassword(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
      @NotNull @Valid PasswordChange body,
      @Context RoutingContext http) {
    UserRecord user = user(id);
    WhichUser which = which(user, ifMatch);
    String hash = newPassword.hash(body.password(), user.login(), http).encoded();
    return done(
        users.setPasswordHash(
            which, hash, audit.change(Action.SET_PASSWORD, user.login(), "done")));
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{id}/disabled")
  @Operation(summary = "Disable a user, or enable it again")
  @APIResponse(responseCode = "204", description = "Done.")
  @APIResponse(responseCode = "404", description = "No such user.")
  @APIResponse(responseCode = "409", description = LAST_ADMIN)
  @APIResponse(responseCode = "412", description = STALE)
  public Response setDisabled(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
      @NotNull @Valid Disabling body) {
    UserRecord user = user(id);
    return done(
        users.setDisabled(
            which(user, ifMatch),
            body.disabled(),
            audit.change(
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
  @APIResponse(responseCode = "412", description = STALE)
  public Response endSessions(
      @PathParam("id") String id, @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch) {
    UserRecord user = user(id);
    return done(
        users.endEpoch(
            which(user, ifMatch), audit.change(Action.END_SESSIONS, user.login(), "done")));
  }

  @POST
  @Path("{id}/unlock")
  @Operation(
      summary = "Forget the wrong guesses on a user's account",
      description =
          "From all networks and for all instances, at once. Those of a network on any accounts stay"
              + " counted.")
  @APIResponse(responseCode = "204", description = "They are forgotten, if there were any.")
  @APIResponse(responseCode = "404", description = "No such user.")
  public Response unlock(@PathParam("id") String id) {
    UserRecord user = user(id);
    throttle.unlock(user.login().text(), audit.change(Action.UNLOCK_USER, user.login(), "done"));
    return Response.noContent().build();
  }

  /** A login begins as its normal form does, or nobody's does. */
  private static String prefix(String text) {
    return LoginName.parse(text)
        .map(LoginName::text)
        .orElseThrow(() -> refused("login_prefix", LoginName.RULE));
  }

  private static String group(String text) {
    return GroupNames.parse(List.of(text))
        .map(groups -> groups.iterator().next())
        .orElseThrow(() -> refused("group", GroupNames.RULE));
  }

  /** Text, for an id that is no number is the id of nobody. */
  private UserRecord user(String id) {
    return Optional.of(id)
        .filter(text -> ID.matcher(text).matches())
        .flatMap(text -> users.find(Long.parseLong(text)))
        .orElseThrow(UsersResource::noSuchUser);
  }

  /**
   * The user, as If-Match says if the request has one: asked before any work is done for it, and
   * again under the lock of the row.
   */
  private static WhichUser which(UserRecord user, String ifMatch) {
    if (ifMatch == null || ifMatch.strip().equals("*")) {
      return WhichUser.of(user.id());
    }
    List<String> tags = List.of(ifMatch.strip().split("\\s*,\\s*"));
    WhichUser which = new WhichUser(user.id(), now -> tags.contains(tag(now)));
    if (!which.state().test(user)) {
      throw stale().toException();
    }
    return which;
  }

  /** Of everything that is shown, and the epoch: another one with everything that ends sessions. */
  private static String tag(UserRecord user) {
    String state = user.epoch() + " " + Shown.of(user);
    return "\"" + UUID.nameUUIDFromBytes(state.getBytes(StandardCharsets.UTF_8)) + "\"";
  }

  private static Response done(ChangeResult result) {
    return switch (result) {
      case DONE -> Response.noContent().build();
      case NO_SUCH_USER -> throw noSuchUser();
      case OTHER_STATE -> stale().toResponse();
      case LAST_ADMIN ->
          Problem.of(Response.Status.CONFLICT, "last-admin", LAST_ADMIN).toResponse();
    };
  }

  private static RuntimeException noSuchUser() {
    return Problem.notFound("There is no user of this id.").toException();
  }

  private static Problem stale() {
    return Problem.of(Response.Status.PRECONDITION_FAILED, STALE);
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
  record Page(
      List<Shown> users,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = Cursor.NEXT) String next) {}

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
