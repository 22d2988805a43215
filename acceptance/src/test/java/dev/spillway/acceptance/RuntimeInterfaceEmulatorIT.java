package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.locallambda.code.CodePackage;
import dev.spillway.locallambda.code.Entrypoint;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The function's package, unchanged, under AWS's own runtime interface emulator: the program that
 * {@code SPILLWAY_RIE} names, or {@code aws-lambda-rie} on the PATH.
 */
@Timeout(60)
class RuntimeInterfaceEmulatorIT {
  @TempDir Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Process emulator;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Optional<Path> program = find();
    if (program.isEmpty()) {
      System.out.println(
          "RuntimeInterfaceEmulatorIT skipped: no aws-lambda-rie on the PATH and no SPILLWAY_RIE");
    }
    assumeTrue(program.isPresent(), "no runtime interface emulator");
    port = Running.freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                program.get().toString(),
                "--runtime-interface-emulator-address",
                "127.0.0.1:" + port,
                "--runtime-api-address",
                "127.0.0.1:" + Running.freePort()));
    CodePackage code = CodePackage.of(Lambda.functionPackage(), "", directory.resolve("cache"));
    command.addAll(command(code.entrypoint()));
    emulator =
        new ProcessBuilder(command)
            .directory(code.taskRoot().toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    await().atMost(10, TimeUnit.SECONDS).until(this::listens);
  }

  @AfterEach
  void stop() throws InterruptedException {
    http.close();
    if (emulator != null) {
      List<ProcessHandle> below = emulator.descendants().toList();
      emulator.destroyForcibly().waitFor();
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void function_hashes_andRefusesWhatIsNoRequest() throws Exception {
    assertThat(
            invoke(
                "{\"v\":1,\"jobs\":[{\"id\":\"a\","
                    + "\"setting\":\"$2a$05$CCCCCCCCCCCCCCCCCCCCC.\",\"password\":\"VSpV\"}]}"))
        .isEqualTo(
            "{\"v\":1,\"results\":[{\"id\":\"a\",\"digest\":\"E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\"}]}");
    assertThat(invoke("{\"v\":1,\"jobs\":\"s3cret\"}"))
        .contains("MalformedRequestException")
        .doesNotContain("s3cret");
    assertThat(invoke("{\"v\":1,\"jobs\":[]}")).isEqualTo("{\"v\":1,\"results\":[]}");
  }

  private String invoke(String event) throws IOException, InterruptedException {
    URI function =
        URI.create("http://127.0.0.1:" + port + "/2015-03-31/functions/function/invocations");
    return http.send(
            HttpRequest.newBuilder(function)
                .POST(HttpRequest.BodyPublishers.ofString(event))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** What the runtimes provided.al2023 and java25 would start. */
  private static List<String> command(Entrypoint entrypoint) {
    return switch (entrypoint) {
      case Entrypoint.Bootstrap(Path bootstrap) -> List.of(bootstrap.toString());
      case Entrypoint.Invalid(String why) -> throw new AssertionError(why);
      case Entrypoint.ManagedJava java -> {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java.clientOptions());
        command.add("-cp");
        command.add(
            java.classPath().stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(java.mainClass());
        command.add(java.handler());
        yield command;
      }
    };
  }

  private boolean listens() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<Path> find() {
    String named = System.getenv("SPILLWAY_RIE");
    if (named != null && !named.isBlank()) {
      return Optional.of(Path.of(named));
    }
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(path -> Path.of(path, "aws-lambda-rie"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
