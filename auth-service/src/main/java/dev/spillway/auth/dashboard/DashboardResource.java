package dev.spillway.auth.dashboard;

import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.WebFile;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestStreamElementType;

/**
 * {@code /q/dashboard}: a public page without figures, and the events with the figures, for those
 * whom the configuration allows.
 */
@Path("/q/dashboard")
@Singleton
@PermitAll
class DashboardResource {
  private static final String ADMIN_GROUP = "admin";

  private static final WebFile PAGE = WebFile.named("dashboard.html");
  private static final Map<String, WebFile> FILES =
      Map.of(
          "dashboard.css", WebFile.named("dashboard.css"),
          "dashboard.js", WebFile.named("dashboard.js"),
          "figures.js", WebFile.named("figures.js"),
          "stream.js", WebFile.named("stream.js"),
          "verdict.js", WebFile.named("verdict.js"),
          "sign-in.js", WebFile.named("sign-in.js"),
          "icon.svg", WebFile.named("icon.svg"));

  private final DashboardConfig config;
  private final Samples samples;
  private final SecurityIdentity caller;
  private final IdentityProviderManager identities;

  DashboardResource(
      DashboardConfig config,
      Samples samples,
      SecurityIdentity caller,
      IdentityProviderManager identities) {
    this.config = config;
    this.samples = samples;
    this.caller = caller;
    this.identities = identities;
  }

  @GET
  @NonBlocking
  @Operation(hidden = true)
  public Response page() {
    return config.access() == DashboardConfig.Access.OFF ? none() : PAGE.toResponse();
  }

  @GET
  @NonBlocking
  @Path("/{file}")
  @Operation(hidden = true)
  public Response file(@PathParam("file") String name) {
    WebFile file = FILES.get(name);
    return config.access() == DashboardConfig.Access.OFF || file == null
        ? none()
        : file.toResponse();
  }

  @GET
  @Blocking
  @Path("/events")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @RestStreamElementType(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public Multi<String> events() {
    return switch (config.access()) {
      case OFF -> throw Problem.toException(none());
      case OPEN -> look(() -> true);
      case ADMIN -> look(admitted());
    };
  }

  private Multi<String> look(BooleanSupplier may) {
    return samples.look(may).orElseThrow(NoPlace::new);
  }

  private Viewer admitted() {
    if (caller.isAnonymous()) {
      throw new UnauthorizedException();
    }
    if (!caller.hasRole(ADMIN_GROUP) || !(caller.getPrincipal() instanceof JsonWebToken token)) {
      throw new ForbiddenException();
    }
    Viewer viewer = new Viewer(identities, token, ADMIN_GROUP);
    if (!viewer.getAsBoolean()) {
      throw new UnauthorizedException();
    }
    return viewer;
  }

  private static Response none() {
    return Problem.notFound("There is nothing at this path.").toResponse();
  }
}
