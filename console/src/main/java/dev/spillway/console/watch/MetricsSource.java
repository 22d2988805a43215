package dev.spillway.console.watch;

import dev.spillway.console.metrics.Scrape;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Where a service's metrics are read. */
final class MetricsSource implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final String PATH = "/q/metrics";

  private final URI uri;
  private final Clock clock;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  /**
   * @param service as {@code http://host:port}; a path, if there is one, is taken to be that of the
   *     metrics
   * @throws IllegalArgumentException if it is no such address
   */
  MetricsSource(URI service, Clock clock) {
    boolean usable =
        service.getHost() != null
            && ("http".equals(service.getScheme()) || "https".equals(service.getScheme()));
    if (!usable) {
      throw new IllegalArgumentException(
          "'" + service + "' is no address of a service; one looks like http://localhost:8080");
    }
    String path = service.getRawPath();
    this.uri = path.isEmpty() || path.equals("/") ? service.resolve(PATH) : service;
    this.clock = clock;
  }

  Reading read() throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Accept", "text/plain; version=0.0.4")
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      Instant at = clock.instant();
      if (answer.statusCode() != 200) {
        return new Reading.Silent(at, uri.getRawPath() + " answers " + answer.statusCode());
      }
      Scrape scrape = Scrape.parse(answer.body());
      return scrape.value("spillway_pool_size").isPresent()
          ? new Reading.Scraped(at, scrape)
          : new Reading.Silent(at, "what answers there is no auth-service");
    } catch (IOException e) {
      return new Reading.Silent(clock.instant(), why(e));
    } catch (IllegalArgumentException e) {
      return new Reading.Silent(clock.instant(), "what answers there writes no metrics");
    }
  }

  private static String why(IOException e) {
    if (e instanceof HttpTimeoutException) {
      return "no answer within " + PATIENCE.toSeconds() + " s";
    }
    if (e instanceof ConnectException) {
      return e.getCause() instanceof UnresolvedAddressException
              || (e.getCause() != null
                  && e.getCause().getCause() instanceof UnresolvedAddressException)
          ? "no such host"
          : "nothing listens there";
    }
    return e.getMessage() == null ? "the connection broke" : e.getMessage();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
