package dev.spillway.auth.tokens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;

/** Tells other services how to verify our tokens. The answers are made once for each ring. */
@Path("/.well-known")
@Singleton
@PermitAll
@NonBlocking
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "tokens", description = "What other services verify tokens with.")
class WellKnownResource {
  private static final String ALLOWED_ORIGIN = "Access-Control-Allow-Origin";

  private final TokenConfig config;
  private final SigningKeys keys;
  private final ObjectMapper json;
  private volatile Answers answers;

  WellKnownResource(TokenConfig config, SigningKeys keys, ObjectMapper json) {
    this.config = config;
    this.keys = keys;
    this.json = json;
    this.answers = answers(keys.ring());
  }

  @GET
  @Path("/jwks.json")
  @Operation(summary = "The public keys that tokens are verified with (RFC 7517)")
  public Response keys(@Context Request request, @Context RoutingContext http) {
    Answers current = current();
    return cacheable(request, http, current.keys(), current.ring());
  }

  @GET
  @Path("/openid-configuration")
  @Operation(summary = "Where the keys are, and who issues tokens (OpenID Connect Discovery)")
  public Response configuration(@Context Request request, @Context RoutingContext http) {
    Answers current = current();
    return cacheable(request, http, current.configuration(), current.ring());
  }

  private record Answers(KeyRing ring, Body keys, Body configuration) {}

  private record Body(byte[] bytes, EntityTag tag) {
    static Body of(byte[] bytes) {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        return new Body(bytes, new EntityTag(HexFormat.of().formatHex(digest, 0, 16)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }

  private Answers current() {
    Answers current = answers;
    KeyRing ring = keys.ring();
    if (current.ring() != ring) {
      current = answers(ring);
      answers = current;
    }
    return current;
  }

  private Answers answers(KeyRing ring) {
    List<SigningKey> published = ring.keys().stream().map(RingKey::key).toList();
    Map<String, Object> discovery = new LinkedHashMap<>();
    discovery.put("issuer", config.issuer());
    discovery.put("jwks_uri", config.issuer() + "/.well-known/jwks.json");
    discovery.put(
        "id_token_signing_alg_values_supported",
        published.stream().map(key -> key.algorithm().joseName()).distinct().toList());
    discovery.put("subject_types_supported", List.of("public"));
    discovery.put("claims_supported", List.of("iss", "sub", "aud", "iat", "exp", "jti", "groups"));
    try {
      return new Answers(
          ring,
          Body.of(
              json.writeValueAsBytes(
                  Map.of(
                      "keys",
                      published.stream()
                          .map(key -> key.toJwk().toParams(OutputControlLevel.PUBLIC_ONLY))
                          .toList()))),
          Body.of(json.writeValueAsBytes(discovery)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of strings", e);
    }
  }

  /**
   * What may be out of date is given, for old keys are better than none, and not to be kept. Pages
   * of all origins may read it: everybody may.
   */
  private Response cacheable(Request request, RoutingContext http, Body body, KeyRing ring) {
    Response.ResponseBuilder unchanged = request.evaluatePreconditions(body.tag());
    Response.ResponseBuilder answer = unchanged != null ? unchanged : Response.ok(body.bytes());
    if (!http.response().headers().contains(ALLOWED_ORIGIN)) { // that of quarkus.http.cors
      answer.header(ALLOWED_ORIGIN, "*");
    }
    return answer
        .tag(body.tag())
        .header(
            HttpHeaders.CACHE_CONTROL,
            keys.isStale(ring) ? "no-store" : "public, max-age=" + config.jwksMaxAge().toSeconds())
        .build();
  }
}
