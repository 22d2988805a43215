package dev.spillway.auth.http;

import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/** Endpoints as the service has them, to try the edge with. */
@Path("/probe")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class ProbeResource {
  record Body(@NotBlank String name, @NotNull Secret password, @Valid Inner inner) {}

  record Inner(@Positive int count, List<String> words) {}

  @POST
  public String echo(@Valid Body body) {
    return "{\"bytes\":%d}".formatted(body.password().utf8().length);
  }

  @POST
  @Path("/large")
  @LargeBody
  @Consumes("application/x-ndjson")
  public String large(InputStream body) throws IOException {
    long bytes = 0;
    byte[] buffer = new byte[8192];
    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
      bytes += n;
    }
    return "{\"bytes\":%d}".formatted(bytes);
  }

  @GET
  @Path("/overloaded")
  public String overloaded() {
    throw new Overloaded(Duration.ofMillis(1200));
  }

  @GET
  @Path("/bug")
  public String bug() {
    throw new IllegalStateException("canary-in-message");
  }

  @GET
  @Path("/conflict")
  public String conflict() {
    throw Problem.conflict("Taken.").toException();
  }

  @GET
  @Path("/me")
  @Authenticated
  public String me(@Context SecurityContext caller) {
    return "\"" + caller.getUserPrincipal().getName() + "\"";
  }

  @GET
  @Path("/admin")
  @RolesAllowed("admin")
  public String admin() {
    return "{}";
  }
}
