package dev.spillway.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code ./spillway run} as a process, and what one does with it. */
final class Running implements AuthService, AutoCloseable {
  static final Path HOME = Path.of(System.getProperty("spillway.home")).toAbsolutePath();

  /**
   * As many as the machine of docs/performance.md has cores. What is more than its pool can take is
   * then more than any machine's can, and is spilled or shed there too.
   */
  static final int POOL_THREADS = Math.min(2, Runtime.getRuntime().availableProcessors());

  /** What a build in the background ignores, so do the processes that it starts, unless told. */
  static final List<String> HEEDING_CTRL_C = List.of("env", "--default-signal=INT");

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(10_000, 15_000));

  private final Process launcher;
  private final int port;
  private final List<String> output;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private Running(Process launcher, int port, List<String> output) {
    this.launcher = launcher;
    this.port = port;
    this.output = output;
  }

  static Running start(Path data, String... options) throws Exception {
    int port = freePort();
    List<String> command = new ArrayList<>(HEEDING_CTRL_C);
    command.addAll(
        List.of(
            HOME.resolve("spillway").toString(),
            "run",
            "--no-build",
            "--port",
            Integer.toString(port),
            "--data",
            data.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SPILLWAY_POOL_THREADS", Integer.toString(POOL_THREADS));
    Process launcher = builder.start();
    List<String> output = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Boolean> ready = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(
                      new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  output.add(line);
                  if (line.startsWith("Ctrl-C ends everything")) {
                    ready.complete(true);
                  }
                }
              } catch (IOException e) {
                output.add(e.toString());
              }
              ready.complete(false);
            });
    if (!ready.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not start:\n" + String.join("\n", output));
    }
    return new Running(launcher, port, output);
  }

  /**
   * A port that nobody has, and that nobody gets who does not ask for it by its number: none of
   * those that the kernel chooses from.
   */
  static int freePort() throws IOException {
    while (true) {
      int port = NEXT_PORT.getAndIncrement();
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // the next one, then
      }
    }
  }

  int port() {
    return port;
  }

  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  @Override
  public HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public HttpResponse<String> login(String login, String password) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/login"))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Everything this launcher started that is alive, the function's processes included. */
  List<ProcessHandle> descendants() {
    return launcher.descendants().filter(ProcessHandle::isAlive).toList();
  }

  /** The process, below the launcher, whose command line contains {@code text}. */
  List<ProcessHandle> processes(String text) {
    return descendants().stream()
        .filter(
            process ->
                process.info().arguments().map(List::of).orElse(List.of()).stream()
                    .anyMatch(argument -> argument.contains(text)))
        .toList();
  }

  /** Ctrl-C, as far as a program can press it; returns the exit code. */
  int interrupt() throws Exception {
    return signal("INT");
  }

  /** What a supervisor sends; returns the exit code. */
  int terminate() throws Exception {
    return signal("TERM");
  }

  private int signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(launcher.pid())).start().waitFor();
    if (!launcher.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after SIG" + name + ":\n" + output());
    }
    return launcher.exitValue();
  }

  @Override
  public void close() throws Exception {
    if (launcher.isAlive()) {
      interrupt();
    }
  }
}
