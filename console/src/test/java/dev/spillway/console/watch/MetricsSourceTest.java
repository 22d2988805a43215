package dev.spillway.console.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that are there, are not, or are none. */
@Timeout(30)
class MetricsSourceTest {
  private HttpServer server;
  private volatile int status = 200;
  private volatile String body = "spillway_pool_size 8.0\n";
  private volatile String asked = "";
  private volatile String accepted = "";

  @BeforeEach
  void start() throws IOException {
    start(0);
  }

  private void start(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(
        "/",
        exchange -> {
          asked = exchange.getRequestURI().getPath();
          accepted = exchange.getRequestHeaders().getFirst("Accept");
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void metrics_areReadWhereTheServiceHasThem() throws InterruptedException {
    assertThat(read("")).isInstanceOf(Reading.Scraped.class);
    assertThat(asked).isEqualTo("/q/metrics");
    assertThat(accepted).isEqualTo("text/plain; version=0.0.4");
    assertThat(read("/behind/a/proxy")).isInstanceOf(Reading.Scraped.class);
    assertThat(asked).isEqualTo("/behind/a/proxy");
  }

  @Test
  void whatIsNoService_isSaid() throws InterruptedException {
    status = 404;
    assertThat(why("")).isEqualTo("/q/metrics answers 404");
    status = 200;
    body = "<html>Welcome</html>";
    assertThat(why("")).isEqualTo("what answers there writes no metrics");
    body = "go_goroutines 8\n";
    assertThat(why("")).isEqualTo("what answers there is no auth-service");
  }

  @Test
  void comesBack() throws Exception {
    server.stop(0);
    // Bound without listening: a port that nobody else can be given meanwhile.
    try (SocketChannel kept =
        SocketChannel.open()
            .setOption(StandardSocketOptions.SO_REUSEADDR, true)
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int port = ((InetSocketAddress) kept.getLocalAddress()).getPort();
      try (MetricsSource source =
          new MetricsSource(URI.create("http://127.0.0.1:" + port), Clock.systemUTC())) {
        assertThat(((Reading.Silent) source.read()).why()).isEqualTo("nothing listens there");
        start(port);
        assertThat(source.read()).isInstanceOf(Reading.Scraped.class);
      }
    }
  }

  @Test
  void acceptedAndNeverAnswered_isGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        MetricsSource source =
            new MetricsSource(
                URI.create("http://127.0.0.1:" + silent.getLocalPort()), Clock.systemUTC())) {
      assertThat(((Reading.Silent) source.read()).why()).isEqualTo("no answer within 2 s");
    }
  }

  /**
   * A label of 64 characters is in no name server: none is asked, so none can be slow to say so.
   */
  @Test
  void unknownHost_isSaid() throws InterruptedException {
    URI nobody = URI.create("http://" + "x".repeat(64) + ".invalid");
    try (MetricsSource source = new MetricsSource(nobody, Clock.systemUTC())) {
      assertThat(((Reading.Silent) source.read()).why()).isEqualTo("no such host");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "localhost", "ftp://localhost", "http:///x", ""})
  void whatIsNoAddress_isRefused(String url) {
    assertThatThrownBy(() -> new MetricsSource(URI.create(url), Clock.systemUTC()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://localhost:8080");
  }

  private String why(String path) throws InterruptedException {
    return ((Reading.Silent) read(path)).why();
  }

  private Reading read(String path) throws InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    try (MetricsSource source = new MetricsSource(uri, Clock.systemUTC())) {
      return source.read();
    }
  }
}
