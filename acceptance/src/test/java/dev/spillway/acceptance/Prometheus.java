package dev.spillway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A real Prometheus that reads one service every second. */
final class Prometheus implements AutoCloseable {
  private final Process process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Skips the test, and says why, where there is none, unless {@link Programs} must be there. */
  static Prometheus reading(int service, Path directory) throws IOException {
    Path program = Programs.find("prometheus").orElse(null);
    if (program == null) {
      String why = Programs.missing("the Grafana dashboard is not tried: that needs prometheus");
      Assumptions.abort(why);
    }
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        scrape_configs:
          - job_name: spillway
            metrics_path: /q/metrics
            scrape_interval: 2s
            scrape_timeout: 2s
            static_configs:
              - targets: ["127.0.0.1:%d"]
        """
            .formatted(service));
    int port = Running.freePort();
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, port);
  }

  /** How many series the expression brings; 0 also while it does not answer. */
  int series(String expression) throws InterruptedException {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + query);
    try {
      JsonNode answer =
          new ObjectMapper()
              .readTree(
                  http.send(
                          HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                      .body());
      if (answer.path("status").asText().equals("error")) {
        throw new AssertionError(expression + ": " + answer.path("error").asText());
      }
      return answer.at("/data/result").size();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() throws Exception {
    http.shutdownNow();
    process.destroy();
    process.waitFor(20, TimeUnit.SECONDS);
  }
}
