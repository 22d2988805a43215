package dev.spillway.auth.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spillway.auth.changes.Changes;
import dev.spillway.auth.changes.FileState;
import dev.spillway.auth.hashing.Hashing;
import dev.spillway.auth.hashing.HashingSettings;
import dev.spillway.auth.hashing.spill.SpillRules;
import dev.spillway.auth.hashing.spill.TargetState;
import dev.spillway.auth.http.Problem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code GET /settings}: what may change while the service runs, as it is in force. */
@Path("/settings")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "settings")
@SecurityRequirement(name = "token")
class SettingsResource {
  private final Hashing hashing;
  private final Changes changes;

  SettingsResource(Hashing hashing, Changes changes) {
    this.hashing = hashing;
    this.changes = changes;
  }

  @GET
  @Operation(
      summary = "Show the settings in force",
      description =
          "Those that may change without a restart, and what became of the file they are in.")
  public Shown show() {
    HashingSettings settings = hashing.settings();
    SpillRules rules = settings.spill().rules();
    return new Shown(
        File.of(changes),
        settings.enqueueTimeout().toString(),
        rules.groupWait().toString(),
        rules.maxGroup(),
        rules.retryPercent(),
        rules.hedge(),
        settings.spill().keepWarmInterval().toString(),
        hashing.targets().stream().map(Target::of).toList());
  }

  /** Durations as ISO 8601 writes them. */
  record Shown(
      File file,
      @JsonProperty("enqueue_timeout") String enqueueTimeout,
      @JsonProperty("group_wait") String groupWait,
      @JsonProperty("max_group") int maxGroup,
      @JsonProperty("retry_percent") int retryPercent,
      boolean hedge,
      @JsonProperty("keep_warm_interval") String keepWarmInterval,
      List<Target> targets) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record File(String path, String state, Instant since, String refusal) {
    static File of(Changes changes) {
      String path = changes.file().toString();
      return switch (changes.state()) {
        case FileState.None none -> new File(path, "none", null, null);
        case FileState.InForce(Instant since) -> new File(path, "in_force", since, null);
        case FileState.Refused(String why, Instant since) -> new File(path, "refused", since, why);
      };
    }
  }

  record Target(
      String name,
      String function,
      String region,
      URI endpoint,
      @JsonProperty("max_outstanding") int maxOutstanding,
      @JsonProperty("keep_warm") int keepWarm,
      int outstanding,
      boolean cooling,
      boolean leaving) {
    static Target of(TargetState state) {
      return new Target(
          state.name(),
          state.plan().address().function(),
          state.plan().address().region(),
          state.plan().address().endpoint(),
          state.plan().maxOutstanding(),
          state.plan().keepWarm(),
          state.outstanding(),
          state.cooling(),
          state.leaving());
    }
  }
}
