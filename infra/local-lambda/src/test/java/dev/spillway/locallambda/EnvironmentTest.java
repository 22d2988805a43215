package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers are those of the invariants in Environment. */
class EnvironmentTest {
  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  /** E1: stopped between calls, the processes below it too, and using no CPU. */
  @Test
  void betweenCalls_wholeGroupIsStopped() throws Exception {
    try (var lambda = fake.start()) {
      long pid = Caller.of(lambda).pid();
      List<Long> group =
          Stream.concat(
                  Stream.of(pid),
                  ProcessHandle.of(pid).orElseThrow().descendants().map(ProcessHandle::pid))
              .toList();

      assertThat(group).as("the shell and its curl").hasSize(2);
      for (long member : group) {
        Observe.until("stopped", () -> Observe.processState(member) == 'T');
      }
      long before = Observe.cpuTicks(pid);
      Caller.of(lambda).get("/_local/health");
      assertThat(Observe.cpuTicks(pid)).isEqualTo(before);
      assertThat(lambda.report(FakeFunction.NAME).frozen()).isEqualTo(1);
    }
  }

  /** E1: an answer does not stop it; asking for the next event does. */
  @Test
  void workAfterTheAnswer_isFinishedBeforeTheFreeze() throws Exception {
    try (var lambda =
        fake.start(fake.template("", 20, 8), config -> config.settle(Duration.ofSeconds(1)))) {
      assertThat(Caller.of(lambda).invoke("\"linger\"").statusCode()).isEqualTo(200);

      assertThat(fake.state().resolve("lingered")).doesNotExist();
      fake.release();
      Observe.until("lingered", () -> Files.exists(fake.state().resolve("lingered")));
      Observe.until("frozen", () -> lambda.report(FakeFunction.NAME).frozen() == 1);
    }
  }

  /** E2: the same process answers again after a freeze. */
  @Test
  void frozenEnvironment_isThawedForTheNextEvent() throws Exception {
    try (var lambda = fake.start()) {
      var caller = Caller.of(lambda);
      long pid = caller.pid();
      Observe.until("stopped", () -> Observe.processState(pid) == 'T');

      for (int call = 0; call < 20; call++) {
        assertThat(caller.pid()).isEqualTo(pid);
      }
      assertThat(lambda.report(FakeFunction.NAME).coldStarts()).isEqualTo(1);
    }
  }

  /** E3: past the deadline the caller has its answer and the environment is gone. */
  @Test
  void deadline_killsAndAnswers() throws Exception {
    try (var lambda = fake.start(fake.template("", 4, 8), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      long pid = caller.pid();

      var answer = caller.invoke("\"sleep\"");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
      assertThat(answer.body())
          .contains("\"errorType\":\"Sandbox.Timedout\"")
          .contains("Error: Task timed out after 4.00 seconds");
      Observe.until("killed", () -> !Observe.exists(pid));
      assertThat(caller.pid()).isNotEqualTo(pid);
      Observe.until("counted", () -> lambda.report(FakeFunction.NAME).timeouts() == 1);
      assertThat(lambda.report(FakeFunction.NAME).crashes()).isZero();
    }
  }

  /** E3, E4: an exit answers its event; the next one gets a fresh process. */
  @Test
  void exit_answersAndIsReplaced() throws Exception {
    try (var lambda = fake.start()) {
      var caller = Caller.of(lambda);
      long pid = caller.pid();

      var answer = caller.invoke("\"exit 3\"");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
      assertThat(answer.body())
          .contains("\"errorType\":\"Runtime.ExitError\"")
          .contains("Error: Runtime exited with error: exit status 3");
      assertThat(caller.pid()).isNotEqualTo(pid);
      assertThat(caller.invoke("\"exit 0\"").body())
          .contains("Runtime exited without providing a reason");
      assertThat(caller.invoke("\"crash\"").body()).contains("signal: killed");
      Observe.until("counted", () -> lambda.report(FakeFunction.NAME).crashes() == 3);
    }
  }

  /** E3: an environment that died in its sleep costs a cold start, not an error. */
  @Test
  void killedWhileFrozen_nextCallIsACleanColdStart() throws Exception {
    try (var lambda = fake.start()) {
      var caller = Caller.of(lambda);
      long pid = caller.pid();

      ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      Observe.until("noticed", () -> lambda.report(FakeFunction.NAME).crashes() == 1);

      assertThat(caller.pid()).isNotEqualTo(pid);
    }
  }

  @Test
  void runtimeApi_tellsTheEventsContext() throws Exception {
    try (var lambda = fake.start()) {
      var caller = Caller.of(lambda);
      long before = System.currentTimeMillis();
      var request =
          caller
              .invocation("Fake:live", "\"context\"")
              .header("X-Amz-Client-Context", "eyJhIjoxfQ==");

      String context = caller.send(request).body().replace("\n", "");

      assertThat(context)
          .contains("\"arn\":\"" + lambda.functionArn(FakeFunction.NAME) + ":live\"")
          .contains("\"type\":\"application/json\"")
          .contains("\"client\":{\"a\":1}")
          .containsPattern("\"trace\":\"Root=1-\\p{XDigit}{8}-\\p{XDigit}{24};Parent=");
      long deadline = Long.parseLong(context.replaceAll(".*\"deadline\":(\\d+).*", "$1"));
      assertThat(deadline).isBetween(before + 15_000, System.currentTimeMillis() + 20_000);
    }
  }

  @Test
  void variables_areLambdasAndTheTemplatesOnly() throws Exception {
    try (var lambda = fake.start()) {
      Caller.of(lambda).invoke("\"env\"");

      assertThat(Files.readAllLines(fake.state().resolve("env")))
          .contains(
              "_HANDLER=not.used",
              "AWS_REGION=eu-central-1",
              "AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
              "AWS_LAMBDA_FUNCTION_NAME=Fake",
              "AWS_LAMBDA_FUNCTION_VERSION=1",
              "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256",
              "AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
              "AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/Fake",
              "STATE=" + fake.state(),
              "TZ=:UTC")
          .noneMatch(line -> line.startsWith("HOME=") || line.startsWith("JAVA_HOME="));
    }
  }

  @Test
  void wrongRequestId_isRefused() throws Exception {
    try (var lambda = fake.start()) {
      assertThat(Caller.of(lambda).invoke("\"wrong id\"").body()).contains("InvalidRequestID");
    }
  }
}
