package app;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;
import org.eclipse.microprofile.jwt.JsonWebToken;

@Path("/whoami")
@RequestScoped
public class Whoami {
  @Inject JsonWebToken token;

  @GET
  @RolesAllowed("staff")
  public Map<String, Object> whoami() {
    return Map.of("sub", token.getSubject(), "groups", token.getGroups());
  }
}
