package dev.spillway.auth.admin;

import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.auth.hashing.spend.SpendReport;
import dev.spillway.auth.http.Problem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;

/** {@code /spend}: what spilling costs, and the switch that stops it. */
@Path("/spend")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "spend", description = "What spilling costs, and the switch that stops it.")
@SecurityRequirement(name = "token")
class SpendResource {
  private static final Logger LOG = Logger.getLogger(SpendResource.class);

  private final SpendCeiling ceiling;
  private final AdminAudit audit;

  SpendResource(SpendCeiling ceiling, AdminAudit audit) {
    this.ceiling = ceiling;
    this.audit = audit;
  }

  @GET
  @Operation(summary = "What spilling has cost, and may cost")
  public SpendReport show() {
    return ceiling.report();
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Stop all spilling, or let it go on",
      description = "In this instance at once, in all others within about a second.")
  public SpendReport change(@NotNull @Valid Change change) {
    ceiling.open(
        change.open(), audit.change(Action.SET_SPENDING, change.open() ? "opened" : "stopped"));
    LOG.warnf("An admin has %s", change.open() ? "let spilling go on" : "stopped all spilling");
    return ceiling.report();
  }

  /** The body of a change. */
  record Change(@NotNull Boolean open) {}
}
