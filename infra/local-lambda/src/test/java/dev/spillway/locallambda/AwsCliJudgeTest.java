package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The judgement of the AWS CLI: the program that {@code SPILLWAY_AWS_CLI} names, or {@code aws} on
 * the PATH. Version 1 and 2 differ in how they take a payload.
 */
class AwsCliJudgeTest {
  @TempDir static Path directory;
  private static Path cli;
  private static boolean version2;
  private static LocalLambda lambda;

  /** What the CLI printed and how it ended. */
  private record Ran(int status, String output) {}

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> found = find();
    if (found.isEmpty()) {
      System.out.println("AwsCliJudgeTest skipped: no aws on the PATH and no SPILLWAY_AWS_CLI");
    }
    assumeTrue(found.isPresent(), "no AWS CLI");
    cli = found.get();
    version2 = run(List.of("--version")).output().startsWith("aws-cli/2");
    FakeFunction fake = FakeFunction.in(directory);
    lambda = fake.start(fake.template("", 5, 1), UnaryOperator.identity());
  }

  @AfterAll
  static void stop() {
    if (lambda != null) {
      lambda.close();
    }
  }

  @Test
  void answer_isWrittenToTheFile() throws Exception {
    Ran ran = invoke("Fake:live", "{\"a\":1}");

    assertThat(ran.status()).as(ran.output()).isZero();
    assertThat(ran.output()).contains("\"StatusCode\": 200", "\"ExecutedVersion\": \"1\"");
    assertThat(directory.resolve("answer")).hasContent("{\"a\":1}");
  }

  @Test
  void functionError_isShown() throws Exception {
    Ran ran = invoke("Fake", "\"sleep\"");

    assertThat(ran.output()).contains("\"StatusCode\": 200", "\"FunctionError\": \"Unhandled\"");
    assertThat(directory.resolve("answer")).content().contains("Sandbox.Timedout");
  }

  @Test
  void dryRun_is204() throws Exception {
    assertThat(invoke("Fake", "{}", "--invocation-type", "DryRun").output())
        .contains("\"StatusCode\": 204");
  }

  @Test
  void unknownFunction_isItsError() throws Exception {
    Ran ran = invoke("Nobody", "{}");

    assertThat(ran.status()).isNotZero();
    assertThat(ran.output())
        .contains(
            "(ResourceNotFoundException)", "Invoke operation", ": Function not found: arn:aws");
  }

  private static Ran invoke(String function, String payload, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("lambda", "invoke"));
    arguments.addAll(List.of("--endpoint-url", lambda.endpoint().toString()));
    arguments.addAll(List.of("--region", lambda.region(), "--output", "json"));
    arguments.addAll(List.of("--function-name", function, "--payload", payload));
    if (version2) {
      arguments.addAll(List.of("--cli-binary-format", "raw-in-base64-out"));
    }
    arguments.addAll(List.of(more));
    arguments.add(directory.resolve("answer").toString());
    return run(arguments);
  }

  private static Ran run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(cli.toString()));
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("AWS_ACCESS_KEY_ID", "id");
    builder.environment().put("AWS_SECRET_ACCESS_KEY", "secret");
    builder.environment().put("AWS_MAX_ATTEMPTS", "1");
    builder.environment().put("AWS_PAGER", "");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    return new Ran(process.waitFor(), output.strip());
  }

  private static Optional<Path> find() {
    String named = System.getenv("SPILLWAY_AWS_CLI");
    if (named != null && !named.isBlank()) {
      return Optional.of(Path.of(named));
    }
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(directory -> Path.of(directory, "aws"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
