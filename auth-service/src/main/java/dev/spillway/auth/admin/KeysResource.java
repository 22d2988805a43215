package dev.spillway.auth.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.tokens.KeyRotation;
import dev.spillway.auth.tokens.PublishedKey;
import dev.spillway.auth.tokens.Rotation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /keys}: the keys that tokens are signed with, and their rotation. */
@Path("/keys")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@RunOnVirtualThread
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "keys", description = "Signing keys and their rotation, by an admin.")
@SecurityRequirement(name = "token")
class KeysResource {
  private final KeyRotation rotation;
  private final AdminAudit audit;

  KeysResource(KeyRotation rotation, AdminAudit audit) {
    this.rotation = rotation;
    this.audit = audit;
  }

  @GET
  @Operation(summary = "List the published signing keys, the oldest first")
  public Keys list() {
    return new Keys(rotation.published().stream().map(ShownKey::of).toList());
  }

  @POST
  @Path("rotation")
  @Operation(
      summary = "Begin a key rotation",
      description =
          "A new key is published now and signs once every verifier has had the time to fetch it;"
              + " the key before it stays published until its last token has ended.")
  @APIResponse(
      responseCode = "202",
      description = "Begun.",
      content = @Content(schema = @Schema(implementation = ShownKey.class)))
  @APIResponse(
      responseCode = "409",
      description = "A rotation is under way, or the keys come from files.")
  @APIResponse(responseCode = "503", description = "The database does not answer.")
  public Response rotate() {
    return switch (rotation.rotate(audit.change(Action.ROTATE_KEYS, "begun"))) {
      case Rotation.Begun(PublishedKey key) ->
          Response.accepted(ShownKey.of(key)).type(MediaType.APPLICATION_JSON_TYPE).build();
      case Rotation.UnderWay(PublishedKey key) ->
          Problem.of(
                  Response.Status.CONFLICT,
                  "rotation-under-way",
                  "The newest key does not sign yet.")
              .toResponse();
      case Rotation.NotOurs() ->
          Problem.of(
                  Response.Status.CONFLICT,
                  "keys-from-files",
                  "the first of spillway.tokens.key-files says which key signs: change the files.")
              .toResponse();
    };
  }

  record Keys(List<ShownKey> keys) {}

  /** A key as an admin sees it: its public half is at {@code /.well-known/jwks.json}. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ShownKey(
      String kid,
      String algorithm,
      @Schema(enumeration = {"published", "signing", "retiring"}) String state,
      @JsonProperty("published_at") Instant publishedAt,
      @JsonProperty("signs_from") Instant signsFrom,
      @JsonProperty("retired_at") Instant retiredAt) {
    static ShownKey of(PublishedKey key) {
      return new ShownKey(
          key.kid(),
          key.algorithm(),
          key.state().name().toLowerCase(Locale.ROOT),
          key.publishedAt().orElse(null),
          key.signsFrom().orElse(null),
          key.retiredAt().orElse(null));
    }
  }
}
