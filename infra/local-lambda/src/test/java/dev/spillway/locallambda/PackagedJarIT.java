package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as a user runs it, with the class path and the permissions of its manifest. */
class PackagedJarIT {
  /** bcrypt of "U*U", cost 5, salt of all Cs: a vector of crypt_blowfish. */
  private static final String DIGEST = "E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

  @TempDir Path directory;

  private final List<Process> started = new ArrayList<>();

  /** A test that failed on the way has not ended its process. */
  @AfterEach
  void end() {
    started.forEach(Process::destroy);
  }

  @Test
  void help_namesEveryOption() throws Exception {
    Process process = run("--help");

    assertThat(new String(process.getInputStream().readAllBytes()))
        .contains("--template", "--port", "--concurrency", "--parameter", "--function-package");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void bootstrapPackage_isServedWithoutAWarning() throws Exception {
    FakeFunction fake = FakeFunction.in(directory);
    Path port = directory.resolve("port");
    String template = fake.template("", 20, 2).toString();
    // The function writes to a directory of this test, which a sandbox forbids.
    Process process =
        run(
            "--template",
            template,
            "--sandbox",
            "off",
            "--port",
            "0",
            "--port-file",
            port.toString());
    List<String> log = new ArrayList<>();

    Caller caller = callerOf(process, log);
    assertThat(caller.invoke("[1]").body()).isEqualTo("[1]");
    Observe.until("the port is written", () -> Files.exists(port));
    assertThat(Files.readString(port).strip())
        .isEqualTo(Integer.toString(caller.endpoint().getPort()));

    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(log).noneMatch(line -> line.contains("WARNING"));
  }

  @Test
  void verifySignatures_wantsAKeyPair_andThenASignature() throws Exception {
    FakeFunction fake = FakeFunction.in(directory);
    String template = fake.template("", 20, 2).toString();
    Process without = run(Map.of(), "--template", template, "--verify-signatures");
    assertThat(new String(without.getErrorStream().readAllBytes()))
        .contains("--verify-signatures: needs a key pair: AWS_ACCESS_KEY_ID is not set");
    assertThat(without.waitFor()).isEqualTo(2);

    Process process =
        run(
            Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret"),
            "--template",
            template,
            "--port",
            "0",
            "--verify-signatures");
    assertThat(callerOf(process, new ArrayList<>()).invoke("{}").statusCode()).isEqualTo(403);
    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /** The hash function itself, where it has been built. */
  @Test
  void hashFunction_hashes() throws Exception {
    Path zip = Path.of(System.getProperty("function.zip"));
    if (!Files.exists(zip)) {
      System.out.println("hashFunction_hashes skipped: " + zip + " has not been built");
    }
    assumeTrue(Files.exists(zip), "hash-lambda has not been built");
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            """
            Resources:
              HashFunction:
                Type: AWS::Serverless::Function
                Properties:
                  CodeUri: %s
                  Handler: not.used.in.provided.runtime
                  MemorySize: 1769
                  Timeout: 20
            """
                .formatted(zip.toRealPath()));
    Process process = run("--template", template.toString(), "--port", "0");
    var caller = callerOf(process, new ArrayList<>());

    var answer =
        caller.send(
            caller.invocation(
                "HashFunction",
                """
                {"v":1,"jobs":[{"id":"a","setting":"$2a$05$CCCCCCCCCCCCCCCCCCCCC.","password":"VSpV"}]}
                """));

    assertThat(answer.headers().firstValue("X-Amz-Function-Error")).as(answer.body()).isEmpty();
    assertThat(answer.body()).contains(DIGEST);
    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private Process run(String... options) throws IOException {
    return run(Map.of(), options);
  }

  private Process run(Map<String, String> environment, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", System.getProperty("local-lambda.jar")));
    command.addAll(List.of(options));
    command.addAll(List.of("--cache", directory.resolve("cache").toString()));
    var builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static Caller callerOf(Process process, List<String> log) throws IOException {
    BufferedReader reader = process.errorReader();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      log.add(line);
      int endpoint = line.indexOf("http://127.0.0.1:");
      if (endpoint >= 0) {
        return new Caller(URI.create(line.substring(endpoint)));
      }
    }
    throw new AssertionError("it ended before it listened: " + log);
  }
}
