package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM under load, as a deployment sends it, on the main port and on that of the admins. */
@Timeout(180)
class DrainIT {
  @TempDir Path data;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Process service;
  private int port;

  @BeforeEach
  void start() throws Exception {
    port = Running.freePort();
    Path jar = Running.HOME.resolve("auth-service/target/quarkus-app/quarkus-run.jar");
    service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dquarkus.profile=local",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.shutdown.delay=8s",
                "-Dspillway.pool.threads=" + Running.POOL_THREADS,
                "-Dspillway.data-dir=" + data,
                "-jar",
                jar.toString())
            .redirectErrorStream(true)
            .redirectOutput(data.resolve("log").toFile())
            .start();
    await().atMost(Duration.ofSeconds(90)).until(() -> status(port, "/q/health/ready") == 200);
  }

  @AfterEach
  void kill() {
    service.destroyForcibly();
    http.close();
  }

  @Test
  void sigterm_answersWhatIsInFlight_andReadinessFallsFirst() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> inFlight = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        inFlight.add(clients.submit(this::login));
      }
      await().until(() -> inFlight.stream().anyMatch(Future::isDone));

      service.destroy(); // SIGTERM
      await()
          .pollInterval(Duration.ofMillis(50))
          .atMost(Duration.ofSeconds(8))
          .until(() -> status(port, "/q/health/ready") == 503);
      // At once: in an overload each may stand in line for seconds, and the port closes then.
      Future<Integer> late = clients.submit(this::login);
      assertThat(status(port, "/q/health/live")).isEqualTo(200);
      assertThat(status(port, "/q/metrics")).isEqualTo(200);
      assertThat(late.get()).as("a login while readiness is down").isIn(200, 503);

      for (Future<Integer> one : inFlight) {
        assertThat(one.get()).isIn(200, 503);
      }
    }
    assertThat(service.waitFor(30, TimeUnit.SECONDS)).as("ended in its grace time").isTrue();
    assertThat(service.exitValue()).isZero();
  }

  /** A stream never ends by itself: were it waited for as a login is, no drain would. */
  @Test
  void sigterm_endsWhoLooksAtTheDashboard_whileLoginsAreStillAnswered() throws Exception {
    List<Iterator<String>> viewers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      HttpResponse<Stream<String>> answer = look(HttpResponse.BodyHandlers.ofLines());
      assertThat(answer.statusCode()).isEqualTo(200);
      viewers.add(answer.body().iterator());
      assertThat(viewers.getLast().next()).startsWith("data:");
    }

    service.destroy(); // SIGTERM
    for (Iterator<String> viewer : viewers) {
      viewer.forEachRemaining(line -> {}); // until it ends, and in good order
    }

    assertThat(status(port, "/q/health/live")).as("after the last stream's end").isEqualTo(200);
    assertThat(look(HttpResponse.BodyHandlers.discarding()).statusCode()).isEqualTo(503);
    assertThat(login()).isIn(200, 503);
    assertThat(service.waitFor(30, TimeUnit.SECONDS)).as("ended in its grace time").isTrue();
    assertThat(service.exitValue()).isZero();
  }

  private <T> HttpResponse<T> look(HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(uri(port, "/q/dashboard/events")).build(), handler);
  }

  private int login() throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(uri(port, "/login"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"login\":\"demo\",\"password\":\"demo-password\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private int status(int at, String path) throws InterruptedException {
    try {
      return http.send(
              HttpRequest.newBuilder(uri(at, path)).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0; // not up yet, or down already
    }
  }

  private static URI uri(int at, String path) {
    return URI.create("http://127.0.0.1:" + at + path);
  }
}
