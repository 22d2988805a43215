package dev.spillway.auth.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * Ends connections on which a body still arrives after the answer was sent.
 *
 * <p>Closing at once would reset the connection, and the client might not see the answer. Waiting
 * for the rest would let a client hold the connection. So the rest is discarded for a moment.
 */
public final class UnreadBody {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private UnreadBody() {}

  /** To be called before the answer is written. HTTP/2 ends the stream by itself. */
  public static void discardAfterAnswer(RoutingContext exchange) {
    // The exchange may be a proxy of the request's scope, which is over when the handler runs.
    HttpServerRequest request = exchange.request();
    Vertx vertx = exchange.vertx();
    if (request.version() != HttpVersion.HTTP_2 && announcesBody(request)) {
      exchange.addEndHandler(written -> discard(request, vertx));
    }
  }

  private static void discard(HttpServerRequest request, Vertx vertx) {
    if (!request.isEnded()) {
      request.resume();
      vertx.setTimer(PATIENCE.toMillis(), late -> closeUnlessEnded(request));
    }
  }

  private static void closeUnlessEnded(HttpServerRequest request) {
    if (!request.isEnded()) {
      request.connection().close();
    }
  }

  private static boolean announcesBody(HttpServerRequest request) {
    return request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
        || request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
  }
}
