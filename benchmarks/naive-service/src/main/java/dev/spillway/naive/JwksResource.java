package dev.spillway.naive;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;

/** {@code GET /.well-known/jwks.json}: the keys that others verify our tokens with. */
@Path("/.well-known/jwks.json")
@Produces(MediaType.APPLICATION_JSON)
class JwksResource {
  private final Map<String, Object> keys;

  JwksResource(Tokens tokens) {
    keys = tokens.published();
  }

  @GET
  public Map<String, Object> keys() {
    return keys;
  }
}
