package dev.spillway.auth.http;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which methods a path knows. RFC 9110, section 15.5.6, wants them in every 405, and RESTEasy
 * leaves them out.
 */
@ApplicationScoped
class AllowedMethods {
  private static final Pattern SLASHES = Pattern.compile("/+");
  private static final Pattern VARIABLE = Pattern.compile("\\{[^/]*}");

  private final List<Route> routes = new ArrayList<>();

  private record Route(Pattern path, String method) {}

  AllowedMethods(BeanManager beans) {
    for (Bean<?> bean : beans.getBeans(Object.class, Any.Literal.INSTANCE)) {
      Path root = bean.getBeanClass().getAnnotation(Path.class);
      if (root != null) {
        for (Method method : bean.getBeanClass().getDeclaredMethods()) {
          addIfRoute(root, method);
        }
      }
    }
  }

  /** In alphabetical order; empty if nothing is at this path. */
  Set<String> of(String path) {
    Set<String> methods = new TreeSet<>();
    for (Route route : routes) {
      if (route.path().matcher(normal(path)).matches()) {
        methods.add(route.method());
      }
    }
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    if (!methods.isEmpty()) {
      methods.add(HttpMethod.OPTIONS);
    }
    return methods;
  }

  private void addIfRoute(Path root, Method method) {
    for (Annotation annotation : method.getAnnotations()) {
      HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
      if (http != null) {
        Path path = method.getAnnotation(Path.class);
        String whole = normal(root.value() + "/" + (path == null ? "" : path.value()));
        routes.add(new Route(pattern(whole), http.value()));
      }
    }
  }

  /** A variable stands for what is between two slashes. */
  private static Pattern pattern(String template) {
    StringBuilder regex = new StringBuilder();
    for (String part : template.substring(1).split("/", -1)) {
      regex.append('/').append(VARIABLE.matcher(part).find() ? "[^/]+" : Pattern.quote(part));
    }
    return Pattern.compile(regex.toString());
  }

  private static String normal(String path) {
    String slashed = SLASHES.matcher("/" + path).replaceAll("/");
    return slashed.length() > 1 && slashed.endsWith("/")
        ? slashed.substring(0, slashed.length() - 1)
        : slashed;
  }
}
