package dev.spillway.auth.login;

import dev.spillway.auth.http.Problem;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code GET /me}: whom the token names. */
@Path("/me")
@Tag(name = "login")
class MeResource {
  private final JsonWebToken token;

  MeResource(JsonWebToken token) {
    this.token = token;
  }

  @GET
  @Authenticated
  @RunOnVirtualThread
  @Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
  @Operation(summary = "Who am I", description = "What the token says; the database is not asked.")
  @APIResponse(responseCode = "200", description = "The token is good.")
  @APIResponse(responseCode = "401", description = "The token is missing or not valid.")
  public Me me() {
    return new Me(token.getSubject(), new TreeSet<>(token.getGroups()), token.getExpirationTime());
  }

  /**
   * @param exp second since 1970 at which the token ends
   */
  record Me(String login, Set<String> groups, long exp) {}
}
