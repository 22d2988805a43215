package dev.spillway.auth.http;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Labels of HTTP metrics, without any value that a peer writes: each new value is a new series. An
 * answered request gets its labels from {@link #contribute}; one that was reset is counted under
 * the labels that Quarkus takes from the request, and only if all of them are ours.
 */
@Singleton
class RequestLabels implements HttpServerMetricsTagsContributor, MeterFilter {
  private static final String OTHER = "OTHER";
  private static final String URI = "uri";
  private static final String METHOD = "method";
  private static final String STATUS = "status";

  /** Where Quarkus keeps the template of a resource's path. */
  private static final String TEMPLATE = "UrlPathTemplate";

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  /** What is served without being a resource. */
  private static final Set<String> ROUTES =
      Set.of(
          "/q/health",
          "/q/health/live",
          "/q/health/ready",
          "/q/health/started",
          "/q/metrics",
          "/q/openapi",
          "/q/swagger-ui");

  /** Templates that were seen; as many as there are resources. */
  private final Set<String> templates = ConcurrentHashMap.newKeySet();

  @Override
  public Tags contribute(Context context) {
    String method = context.request().method().name();
    return Tags.of(METHOD, METHODS.contains(method) ? method : OTHER, URI, uri(context));
  }

  private String uri(Context context) {
    if (context.requestContextLocalData(TEMPLATE) instanceof String template) {
      templates.add(template);
      return template;
    }
    String path = context.request().path();
    if (path != null && ROUTES.contains(path)) {
      return path;
    }
    return context.response().statusCode() == 404 ? "NOT_FOUND" : OTHER;
  }

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return !isReset(id) || isOurs(id) ? MeterFilterReply.NEUTRAL : MeterFilterReply.DENY;
  }

  /** A status that a function's answer may have, but HTTP has not. */
  @Override
  public Meter.Id map(Meter.Id id) {
    String status = id.getName().startsWith("http.client.") ? id.getTag(STATUS) : null;
    return status != null && status.matches("\\d+") && !status.matches("[1-5]\\d\\d")
        ? id.replaceTags(Tags.of(id.getTags()).and(STATUS, OTHER))
        : id;
  }

  private static boolean isReset(Meter.Id id) {
    return id.getName().startsWith("http.server.") && "RESET".equals(id.getTag(STATUS));
  }

  private boolean isOurs(Meter.Id id) {
    String uri = id.getTag(URI);
    return uri != null
        && (templates.contains(uri) || ROUTES.contains(uri))
        && METHODS.contains(id.getTag(METHOD));
  }
}
