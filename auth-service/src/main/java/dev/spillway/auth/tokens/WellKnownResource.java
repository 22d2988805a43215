package dev.spillway.auth.tokens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;

/** Tells other services how to verify our tokens. The answers are made once, at the start. */
@Path("/.well-known")
@Singleton
@PermitAll
@NonBlocking
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "tokens")
class WellKnownResource {
  /** A key lives for months; five minutes spare us most requests and delay a new key little. */
  private static final String CACHE_CONTROL = "public, max-age=300";

  private final byte[] keys;
  private final byte[] configuration;

  WellKnownResource(TokenConfig config, SigningKey key, ObjectMapper json)
      throws JsonProcessingException {
    this.keys =
        json.writeValueAsBytes(
            Map.of("keys", List.of(key.toJwk().toParams(OutputControlLevel.PUBLIC_ONLY))));
    Map<String, Object> discovery = new LinkedHashMap<>();
    discovery.put("issuer", config.issuer());
    discovery.put("jwks_uri", config.issuer() + "/.well-known/jwks.json");
    discovery.put("id_token_signing_alg_values_supported", List.of(key.algorithm().joseName()));
    discovery.put("subject_types_supported", List.of("public"));
    discovery.put("claims_supported", List.of("iss", "sub", "aud", "iat", "exp", "jti", "groups"));
    this.configuration = json.writeValueAsBytes(discovery);
  }

  @GET
  @Path("/jwks.json")
  @Operation(summary = "The public keys that tokens are verified with (RFC 7517)")
  public Response keys() {
    return cacheable(keys);
  }

  @GET
  @Path("/openid-configuration")
  @Operation(summary = "Where the keys are, and who issues tokens (OpenID Connect Discovery)")
  public Response configuration() {
    return cacheable(configuration);
  }

  private static Response cacheable(byte[] body) {
    return Response.ok(body).header(HttpHeaders.CACHE_CONTROL, CACHE_CONTROL).build();
  }
}
