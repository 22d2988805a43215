package dev.spillway.auth.http;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.Provider;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.handlers.RestInitialHandler.InitialMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/**
 * Says in {@code Allow} which methods a path knows, as the framework's own router does. RFC 9110,
 * section 15.5.6, wants them in every 405, where RESTEasy says nothing; to OPTIONS it names the
 * methods of all paths of the resource's class.
 */
@Provider
class AllowFilter implements ContainerResponseFilter {
  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() == Status.METHOD_NOT_ALLOWED.getStatusCode()
        || request.getMethod().equals(HttpMethod.OPTIONS) && response.getStatus() == 200) {
      Set<String> methods = methods((ResteasyReactiveRequestContext) CurrentRequestManager.get());
      response.getHeaders().putSingle(HttpHeaders.ALLOW, String.join(", ", methods));
    }
  }

  private static Set<String> methods(ResteasyReactiveRequestContext request) {
    Set<String> methods = new TreeSet<>(List.of(HttpMethod.OPTIONS));
    var classes = new RequestMapper<>(request.getDeployment().getClassMappers());
    var match = classes.map(request.getPathWithoutPrefix());
    if (match != null) {
      addMethods(match, methods);
    }
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    return methods;
  }

  private static void addMethods(RequestMapper.RequestMatch<InitialMatch> at, Set<String> methods) {
    for (ServerRestHandler handler : at.value.handlers) {
      if (handler instanceof ClassRoutingHandler router) {
        String rest = at.remaining.isEmpty() ? "/" : at.remaining;
        router.getMappers().entrySet().stream()
            .filter(method -> method.getKey() != null && method.getValue().map(rest) != null)
            .forEach(method -> methods.add(method.getKey()));
      }
    }
  }
}
