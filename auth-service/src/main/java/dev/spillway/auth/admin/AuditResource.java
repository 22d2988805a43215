package dev.spillway.auth.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spillway.auth.audit.AuditEntry;
import dev.spillway.auth.audit.AuditFilter;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.users.LoginName;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code GET /audit}: who tried to get in, and what came of it. */
@Path("/audit")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "audit", description = "Who tried to get in, and what admins did.")
@SecurityRequirement(name = "token")
class AuditResource {
  /** What both databases know as a time. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final AuditLog audit;

  AuditResource(AuditLog audit) {
    this.audit = audit;
  }

  @GET
  @Operation(
      summary = "List attempts by ascending id",
      description = "An attempt is here within a second of its answer.")
  @APIResponse(responseCode = "200", description = "At most limit entries.")
  @APIResponse(responseCode = "400", description = "A parameter is not acceptable.")
  @APIResponse(responseCode = "503", description = "The database does not answer.")
  public Page list(
      @QueryParam("login") String login,
      @Parameter(
              description = "RFC 3339; nothing that is older is shown.",
              schema = @Schema(type = SchemaType.STRING, format = "date-time"))
          @QueryParam("since")
          String since,
      @Parameter(
              description = "RFC 3339; nothing from then on is shown.",
              schema = @Schema(type = SchemaType.STRING, format = "date-time"))
          @QueryParam("until")
          String until,
      @QueryParam("outcome") @Pattern(regexp = "[a-z_]{1,40}") String outcome,
      @Parameter(description = "In CIDR notation, as entries show it.")
          @QueryParam("network")
          @Pattern(regexp = "[0-9a-fA-F.:/]{1,49}")
          String network,
      @Parameter(description = Cursor.DESCRIPTION) @QueryParam("cursor") String cursor,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(1000) int limit) {
    Cursor from = Cursor.parse("audit", cursor);
    AuditFilter filter =
        new AuditFilter(
            Optional.ofNullable(login).map(AuditResource::normal),
            since == null ? Instant.EPOCH : time("since", since),
            Optional.ofNullable(until).map(text -> time("until", text)),
            Optional.ofNullable(outcome),
            Optional.ofNullable(network));
    List<AuditEntry> entries = audit.list(filter, from.after(), limit);
    Cursor next = entries.isEmpty() ? from : from.behind(entries.getLast().id());
    return new Page(entries, next.text());
  }

  /** As it was tried with, if no user can have this login. */
  private static String normal(String login) {
    return LoginName.parse(login).map(LoginName::text).orElse(login);
  }

  private static Instant time(String parameter, String text) {
    try {
      Instant time = Instant.parse(text);
      return time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LATEST) ? LATEST : time;
    } catch (DateTimeException e) {
      throw Problem.invalid(
              new Problem.Refused(parameter, "must be a time like 2026-01-31T12:00:00Z"))
          .toException();
    }
  }

  @Schema(name = "AuditPage")
  record Page(
      List<AuditEntry> entries,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = Cursor.NEXT) String next) {}
}
