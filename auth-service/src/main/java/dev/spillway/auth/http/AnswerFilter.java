package dev.spillway.auth.http;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import java.util.Arrays;

/** Keeps answers out of caches unless they say otherwise, and leaves nothing of the body behind. */
@Provider
class AnswerFilter implements ContainerResponseFilter {
  @Inject RoutingContext exchange;

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!response.getHeaders().containsKey(HttpHeaders.CACHE_CONTROL)) {
      response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
    if (response.getLocation() != null) {
      // JAX-RS makes it absolute by the Host it sees, which is not what the client of a proxy sees.
      response.getHeaders().putSingle(HttpHeaders.LOCATION, response.getLocation().getRawPath());
    }
    if (request.getProperty(BodyLimit.BODY) instanceof byte[] body) {
      Arrays.fill(body, (byte) 0);
    }
    UnreadBody.discardAfterAnswer(exchange);
  }
}
