package dev.spillway.naive;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * {@code POST /login}, speaking what Spillway speaks. A plain blocking endpoint: bcrypt runs on the
 * request's own worker thread.
 */
@Path("/login")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class LoginResource {
  private final Users users;
  private final Tokens tokens;

  LoginResource(Users users, Tokens tokens) {
    this.users = users;
    this.tokens = tokens;
  }

  @POST
  public Response login(Credentials credentials) {
    if (credentials == null || credentials.login() == null || credentials.password() == null) {
      return Response.status(Response.Status.BAD_REQUEST).build();
    }
    return users
        .authenticate(credentials.login(), credentials.password())
        .map(tokens::issue)
        .map(jwt -> Response.ok(new Granted(jwt, "Bearer", Tokens.LIFETIME.toSeconds())).build())
        .orElseGet(() -> Response.status(Response.Status.UNAUTHORIZED).build());
  }

  record Credentials(String login, String password) {}

  record Granted(
      @JsonProperty("access_token") String accessToken,
      @JsonProperty("token_type") String tokenType,
      @JsonProperty("expires_in") long expiresIn) {}
}
