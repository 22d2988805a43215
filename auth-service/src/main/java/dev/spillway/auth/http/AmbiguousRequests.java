package dev.spillway.auth.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Filter that refuses requests which this service and a proxy before it might read differently. A
 * proxy that closes a path closes one spelling of it, so a path has one spelling here. The filter
 * runs on the event loop, before anything else that reads the request.
 */
@ApplicationScoped
class AmbiguousRequests {
  /** After the arrival is noted, and before everything that answers. */
  private static final int EARLY = 9_000;

  /**
   * RFC 3986: no empty segment but the last, and no escape of a character that needs none. {@code
   * ;} must be escaped: JAX-RS takes what follows it for a parameter.
   */
  private static final Pattern PATH =
      Pattern.compile(
          "/|(?:/(?:[\\w.~!$&'()*+,=:@-]|%(?!2[DdEe]|3\\d|[46][1-9A-Fa-f]|[57][\\dAa]|5[Ff]|7[Ee])"
              + "[\\dA-Fa-f]{2})++)++/?+");

  private static final String NORMAL_PATH = "The path is not in its normal form.";
  private static final String ONE_HOST = "The request needs one valid Host.";

  private static final Pattern DOTS = Pattern.compile("/\\.\\.?+(?:/|$)");

  private static final Pattern MEDIA_TYPE =
      Pattern.compile(
          "TOKEN/TOKEN(?:[ \\t]*;[ \\t]*(?:TOKEN=(?:TOKEN|\"(?:[^\"\\\\]|\\\\.)*+\"))?+)*+"
              .replace("TOKEN", "[\\w!#$%&'*+.^`|~-]++"));

  private static final Pattern BEFORE_PARAMETER = Pattern.compile("[ \\t]+;");

  private final ObjectMapper json;

  AmbiguousRequests(ObjectMapper json) {
    this.json = json;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, EARLY);
  }

  /** Vert.x itself refuses a request without a valid host, before any filter. */
  void registerFailures(@Observes Router router) {
    router.route().order(Integer.MIN_VALUE).failureHandler(this::failed);
  }

  private void failed(RoutingContext exchange) {
    if (exchange.statusCode() == Status.BAD_REQUEST.getStatusCode()
        && exchange.failure() instanceof VertxException) {
      answer(exchange, Problem.badRequest(ONE_HOST));
    } else {
      exchange.next();
    }
  }

  private void check(RoutingContext exchange) {
    HttpServerRequest request = exchange.request();
    if (!isNormal(request.path())) {
      answer(exchange, Problem.badRequest(NORMAL_PATH));
    } else if (!hasOneHost(request.headers().getAll(HttpHeaders.HOST))) {
      answer(exchange, Problem.badRequest(ONE_HOST));
    } else if (!normalizeType(request)) {
      answer(
          exchange, Problem.of(Status.UNSUPPORTED_MEDIA_TYPE, "Content-Type is not a media type."));
    } else {
      exchange.next();
    }
  }

  /** HTTP/2 has none. */
  private static boolean hasOneHost(List<String> hosts) {
    return hosts.isEmpty() || hosts.size() == 1 && !hosts.getFirst().isBlank();
  }

  /**
   * @param path as it was sent, without its query
   */
  static boolean isNormal(String path) {
    return path != null && PATH.matcher(path).matches() && !DOTS.matcher(path).find();
  }

  /** RESTEasy fails on an empty type, and knows none with a blank before its parameters. */
  private static boolean normalizeType(HttpServerRequest request) {
    List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    if (types.isEmpty()) {
      return true;
    }
    String type = types.getFirst().strip();
    if (type.isEmpty()) {
      request.headers().remove(HttpHeaders.CONTENT_TYPE);
      return types.size() == 1;
    }
    if (types.size() > 1 || !MEDIA_TYPE.matcher(type).matches()) {
      return false;
    }
    if (BEFORE_PARAMETER.matcher(type).find()) {
      request
          .headers()
          .set(HttpHeaders.CONTENT_TYPE, BEFORE_PARAMETER.matcher(type).replaceAll(";"));
    }
    return true;
  }

  private void answer(RoutingContext exchange, Problem problem) {
    UnreadBody.discardAfterAnswer(exchange);
    exchange
        .response()
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(Buffer.buffer(bytes(problem)));
  }

  private byte[] bytes(Problem problem) {
    try {
      return json.writeValueAsBytes(problem);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // a problem can be written
    }
  }
}
