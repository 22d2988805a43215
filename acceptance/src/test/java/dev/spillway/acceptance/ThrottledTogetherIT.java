package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of the auth-service on one PostgreSQL, each with a pool of one. */
@Timeout(180)
class ThrottledTogetherIT {
  private static final String RIGHT = "demo-password";
  private static final int LIMIT = 5;
  private static final int POOLS = 2;

  @TempDir static Path data;
  private static final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static EmbeddedPostgres postgres;
  private static final List<Process> processes = new ArrayList<>();
  private static final List<Integer> ports = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    postgres =
        EmbeddedPostgres.builder()
            .setPort(Running.freePort())
            .setPGStartupWait(Duration.ofMinutes(1))
            .start();
    for (int i = 0; i < 2; i++) {
      int port = Running.freePort();
      ports.add(port);
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Dquarkus.profile=local",
                  "-Dquarkus.http.host=127.0.0.1",
                  "-Dquarkus.http.port=" + port,
                  "-Dspillway.data-dir=" + data,
                  "-Dspillway.database.kind=postgresql",
                  "-Dspillway.database.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                  "-Dspillway.database.username=postgres",
                  "-Dspillway.hashing.cost=4",
                  "-Dspillway.hashing.deadline=20s",
                  "-Dspillway.pool.threads=1",
                  "-Dspillway.pool.lanes=1",
                  "-Dspillway.pool.priority=normal",
                  // A machine that stands still for a second is no database that does.
                  "-Dquarkus.datasource.pg.jdbc.acquisition-timeout=20s",
                  "-Dquarkus.datasource.pg.jdbc.additional-jdbc-properties.socketTimeout=30",
                  "-jar",
                  Running.HOME
                      .resolve("auth-service/target/quarkus-app/quarkus-run.jar")
                      .toString())
              .redirectErrorStream(true)
              .redirectOutput(data.resolve("log" + i).toFile())
              .start());
      await().atMost(Duration.ofSeconds(120)).until(() -> get(port, "/q/health/ready") == 200);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    processes.forEach(Process::destroyForcibly);
    http.close();
    postgres.close();
  }

  /** CVE-2024-4629, with the counter in two processes. */
  @Test
  void parallelWrongGuesses_areHashedUpToTheLimit() throws Exception {
    double hashed = hashed();
    List<Integer> answers = parallel(200, i -> "wrong" + i, "203.0.113.1");
    double looked = hashed() - hashed;
    System.out.printf("200 wrong guesses at two instances, limit 5: %.0f hashed%n", looked);
    assertThat(looked).isBetween((double) LIMIT, (double) LIMIT + POOLS);
    assertThat(answers).contains(401, 429);
    assertThat(answers.stream().filter(status -> status != 429 && status != 503))
        .as("503: a slow machine")
        .hasSizeLessThanOrEqualTo(LIMIT + POOLS)
        .containsOnly(401);
    assertThat(login(ports.get(0), RIGHT, "203.0.113.1")).as("locked there").isEqualTo(429);
    assertThat(login(ports.get(1), RIGHT, "203.0.113.1")).as("locked there").isEqualTo(429);
    assertThat(login(ports.get(0), RIGHT, "203.0.113.2")).as("not elsewhere").isEqualTo(200);
  }

  @Test
  void parallelRightLogins_allSucceed() throws Exception {
    assertThat(parallel(20, i -> RIGHT, "203.0.113.3")).containsOnly(200);
  }

  @Test
  void success_atOneForgives_atTheOther() throws Exception {
    for (int i = 0; i < LIMIT - 1; i++) {
      assertThat(login(ports.get(i % 2), "wrong", "203.0.113.4")).isEqualTo(401);
    }
    assertThat(login(ports.get(0), RIGHT, "203.0.113.4")).isEqualTo(200);
    for (int i = 0; i < LIMIT; i++) {
      assertThat(login(ports.get(i % 2), "wrong", "203.0.113.4")).isEqualTo(401);
    }
    assertThat(login(ports.get(1), RIGHT, "203.0.113.4")).isEqualTo(429);
  }

  private static List<Integer> parallel(int many, IntFunction<String> password, String from)
      throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        int port = ports.get(i % 2);
        String guess = password.apply(i);
        answers.add(clients.submit(() -> login(port, guess, from)));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> answer : answers) {
        statuses.add(answer.get());
      }
      return statuses;
    }
  }

  private static int login(int port, String password, String from) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(port, "/login"))
            .header("Content-Type", "application/json")
            .header("X-Forwarded-For", from)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"login\":\"demo\",\"password\":\"%s\"}".formatted(password)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private static double hashed() throws Exception {
    double sum = 0;
    for (int port : ports) {
      sum +=
          http.send(
                  HttpRequest.newBuilder(uri(port, "/q/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body()
              .lines()
              .filter(line -> line.startsWith("spillway_hashing_total"))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
    }
    return sum;
  }

  private static int get(int port, String path) throws InterruptedException {
    try {
      return http.send(
              HttpRequest.newBuilder(uri(port, path)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0; // not up yet
    }
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
