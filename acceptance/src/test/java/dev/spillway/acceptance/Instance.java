package dev.spillway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One process of the auth-service, of several on one database. */
final class Instance implements AuthService, AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final int port;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Instance(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Returns at once; the process logs into the directory. */
  static Instance start(Path directory, Map<String, String> config) throws IOException {
    int port = Running.freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dquarkus.profile=local",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port));
    config.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-jar");
    command.add(Running.HOME.resolve("auth-service/target/quarkus-app/quarkus-run.jar").toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log-" + port).toFile())
            .start();
    return new Instance(process, port);
  }

  boolean isReady() throws InterruptedException {
    try {
      return get("/q/health/ready").statusCode() == 200;
    } catch (IOException e) {
      if (!process.isAlive()) {
        throw new AssertionError("the instance did not start");
      }
      return false;
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  @Override
  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).build());
  }

  HttpResponse<String> post(String path, Map<String, String> body, String... headers)
      throws IOException, InterruptedException {
    return send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build());
  }

  @Override
  public HttpResponse<String> login(String login, String password)
      throws IOException, InterruptedException {
    return post("/login", Map.of("login", login, "password", password));
  }

  HttpResponse<String> refresh(String secret) throws IOException, InterruptedException {
    return post("/refresh", Map.of("refresh_token", secret));
  }

  static JsonNode json(HttpResponse<String> answer) throws IOException {
    return JSON.readTree(answer.body());
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() throws Exception {
    http.close();
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
