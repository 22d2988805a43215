package dev.spillway.auth.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.UnreadBody;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.HttpHeaders;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * A second port, if one is configured, for what is not for everybody: the same router behind the
 * same options, so that limits, time-outs and the drain are the main port's. There everything is
 * answered; on the main one only {@link PublicPaths} still are.
 *
 * <p>Quarkus has a management interface. It is turned on when the jar is built, would take health
 * checks with it, and has no place for JAX-RS resources, which the admin's are.
 */
@ApplicationScoped
public class ManagementPort implements HttpServerOptionsCustomizer {
  private static final Logger LOG = Logger.getLogger(ManagementPort.class);

  /** Before CORS and authentication: whoever asks here has no token that would matter. */
  private static final int FIRST = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ManagementConfig config;
  private final Vertx vertx;
  private final byte[] nothingHere;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile HttpServer server;

  ManagementPort(ManagementConfig config, Vertx vertx, ObjectMapper json)
      throws JsonProcessingException {
    this.config = config;
    this.vertx = vertx;
    this.nothingHere = json.writeValueAsBytes(Problem.notFound("There is nothing at this path."));
  }

  void register(@Observes Filters filters) {
    config.port().ifPresent(port -> filters.register(this::filter, FIRST));
  }

  /**
   * Opens the port. Quarkus asks as the last thing before it opens the main one: the router is
   * complete, and what is thrown here still stops the start.
   *
   * @throws IllegalArgumentException if the port is the main one's, or cannot be had
   */
  @Override
  public void customizeHttpServer(HttpServerOptions main) {
    OptionalInt port = config.port();
    if (port.isEmpty()) {
      return;
    }
    if (port.getAsInt() == main.getPort()) {
      throw new IllegalArgumentException(
          "spillway.management.port must not be the main port, quarkus.http.port: "
              + main.getPort());
    }
    // One event loop serves all of it: these are a few people and a scraper.
    server =
        listening(
            vertx
                .createHttpServer(
                    new HttpServerOptions(main).setHost(config.address()).setPort(port.getAsInt()))
                .connectionHandler(this::accepted)
                .requestHandler(VertxHttpRecorder.getRootHandler()));
    LOG.infof("Admins and operators: http://%s:%d", config.address(), port.getAsInt());
  }

  /** When the requests of both ports have ended. */
  void stop(@Observes ShutdownEvent event) {
    if (server != null) {
      server.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** By which port a request came an address would say too, but a proxy's header can rewrite it. */
  private void accepted(HttpConnection connection) {
    connections.add(connection);
    connection.closeHandler(closed -> connections.remove(connection));
  }

  private HttpServer listening(HttpServer closed) {
    CompletableFuture<HttpServer> open = closed.listen().toCompletionStage().toCompletableFuture();
    try {
      return open.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalArgumentException(
          "spillway.management.port cannot be opened, %s:%d: %s"
              .formatted(config.address(), config.port().getAsInt(), e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting", e);
    }
  }

  private void filter(RoutingContext exchange) {
    HttpServerRequest request = exchange.request();
    if (connections.contains(request.connection()) || PublicPaths.contain(request.path())) {
      exchange.next();
      return;
    }
    UnreadBody.discardAfterAnswer(exchange);
    exchange
        .response()
        .setStatusCode(404)
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(Buffer.buffer(nothingHere));
  }
}
