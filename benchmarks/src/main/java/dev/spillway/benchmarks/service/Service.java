package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running service under test, and the client that puts it under load. */
final class Service implements AutoCloseable {
  static final String HEALTH = "/q/health/live";
  static final String JWKS = "/.well-known/jwks.json";

  private static final Duration START = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Pattern TOKEN = Pattern.compile("\"access_token\"\\s*:\\s*\"([^\"]+)\"");

  private final String name;
  private final Process process;
  private final int port;
  private final ServiceApi api;
  private final long startNanos = System.nanoTime();
  private Duration readyAfter = Duration.ZERO;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  Service(String name, Process process, int port, ServiceApi api) {
    this.api = api;
    this.name = name;
    this.process = process;
    this.port = port;
  }

  String name() {
    return name;
  }

  ServiceApi api() {
    return api;
  }

  /** Where health is told. */
  int managementPort() {
    return api.managementPort() == 0 ? port : api.managementPort();
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  void awaitReady(Site site) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + START.toNanos();
    while (!ready()) {
      if (!process.isAlive() || System.nanoTime() > giveUp) {
        throw new IOException(name + " did not start; it said:\n" + site.lastWords(name));
      }
      Thread.sleep(POLL);
    }
    readyAfter = Duration.ofNanos(System.nanoTime() - startNanos);
  }

  /** From the start of its process until it was ready. */
  Duration readyAfter() {
    return readyAfter;
  }

  private boolean ready() throws InterruptedException {
    try {
      return get(managementPort(), api.ready()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(port, path);
  }

  private HttpResponse<String> get(int at, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(at, path)).timeout(Duration.ofSeconds(30)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sum over all lines of a metric whose labels contain {@code label}. */
  double metric(String metric, String label) throws IOException, InterruptedException {
    return get("/q/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric) && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Logs the demo user in. */
  Attempt login() {
    return login("demo", "demo-password");
  }

  /** As somebody who comes through a proxy. */
  Attempt login(Caller caller) {
    return attempt(loginRequest(caller).header("X-Forwarded-For", caller.address()));
  }

  Attempt login(String login, String password) {
    return attempt(loginRequest(login, password));
  }

  private Attempt attempt(HttpRequest.Builder request) {
    long start = System.nanoTime();
    int status;
    try {
      status = http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      status = Attempt.NO_ANSWER;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      status = Attempt.NO_ANSWER;
    }
    return new Attempt(status, start, System.nanoTime());
  }

  /** A pool that is busy at first refuses; so long it is tried again. */
  String token(String login, String password) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    HttpResponse<String> answer;
    do {
      answer =
          http.send(loginRequest(login, password).build(), HttpResponse.BodyHandlers.ofString());
    } while (answer.statusCode() == 503 && System.nanoTime() < giveUp);
    Matcher token = TOKEN.matcher(answer.body());
    if (answer.statusCode() != 200 || !token.find()) {
      throw new IOException(name + " did not log " + login + " in: " + answer.statusCode());
    }
    return token.group(1);
  }

  String importUsers(String token, String lines) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/users/import"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/x-ndjson")
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(lines))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(name + " refused the import: " + answer.statusCode());
    }
    return answer.body();
  }

  private HttpRequest.Builder loginRequest(String login, String password) {
    return loginRequest(new Caller.Guess(login, password, "127.0.0.1"));
  }

  private HttpRequest.Builder loginRequest(Caller caller) {
    return HttpRequest.newBuilder(uri(api.loginPath().apply(caller)))
        .timeout(PATIENCE)
        .header("Content-Type", api.contentType())
        .POST(HttpRequest.BodyPublishers.ofByteArray(api.loginBody().apply(caller)));
  }

  private URI uri(String path) {
    return uri(port, path);
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Ends the process too. */
  @Override
  public void close() {
    http.shutdownNow();
    process.destroyForcibly();
  }
}
