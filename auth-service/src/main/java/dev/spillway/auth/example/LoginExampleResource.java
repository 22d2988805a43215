package dev.spillway.auth.example;

import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.WebFile;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** {@code /login-example}: a login page to copy from, on the origin of {@code POST /login}. */
@Path("/login-example")
@Singleton
@PermitAll
@NonBlocking
class LoginExampleResource {
  private static final WebFile PAGE = WebFile.named("login.html");
  private static final Map<String, WebFile> FILES =
      Map.of(
          "login.css", WebFile.named("login.css"),
          "login.js", WebFile.named("login.js"),
          "sign-in.js", WebFile.named("sign-in.js"),
          "icon.svg", WebFile.named("icon.svg"));

  private final boolean enabled;

  /** Where there is a user to try it with; a product brings its own page. */
  LoginExampleResource(
      @ConfigProperty(name = "spillway.bootstrap.demo-user", defaultValue = "false")
          boolean demoUser) {
    this.enabled = demoUser;
  }

  @GET
  @Operation(hidden = true)
  public Response page() {
    return enabled ? PAGE.toResponse() : none();
  }

  @GET
  @Path("/{file}")
  @Operation(hidden = true)
  public Response file(@PathParam("file") String name) {
    WebFile file = FILES.get(name);
    return enabled && file != null ? file.toResponse() : none();
  }

  private static Response none() {
    return Problem.notFound("There is nothing at this path.").toResponse();
  }
}
