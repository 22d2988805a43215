package dev.spillway.auth.admin;

import dev.spillway.auth.http.Problem;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Refuses a parameter that an admin's operation does not know: it may have been a filter. */
@Provider
class KnownParameters implements ContainerRequestFilter {
  @Context ResourceInfo operation;

  @Override
  public void filter(ContainerRequestContext request) {
    Class<?> resource = operation.getResourceClass();
    if (resource == null || !resource.isAnnotationPresent(RolesAllowed.class)) {
      return;
    }
    List<String> known = known(operation.getResourceMethod());
    if (!known.containsAll(request.getUriInfo().getQueryParameters().keySet())) {
      String rule = known.isEmpty() ? "must be empty" : "must have no parameters but " + known;
      request.abortWith(Problem.invalid(new Problem.Refused("query", rule)).toResponse());
    }
  }

  private static List<String> known(Method method) {
    return Arrays.stream(method.getParameters())
        .map(parameter -> parameter.getAnnotation(QueryParam.class))
        .filter(Objects::nonNull)
        .map(QueryParam::value)
        .toList();
  }
}
