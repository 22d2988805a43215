package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Init is limited, and tried a second time inside the first invocation. */
class InitTest {
  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @Test
  void tooSlowOnce_secondAttemptAnswers() throws Exception {
    try (var lambda = start("slow-once", 20)) {
      var answer = Caller.of(lambda).invoke("{\"a\":1}");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).isEmpty();
      assertThat(answer.body()).isEqualTo("{\"a\":1}");
      assertThat(starts()).isEqualTo(2);
      assertThat(fake.log()).anyMatch(line -> line.startsWith("init of Fake/1"));
    }
  }

  @Test
  void tooSlowTwice_isTheFunctionsTimeout() throws Exception {
    try (var lambda = start("slow", 1)) {
      var answer = Caller.of(lambda).invoke("{}");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("Sandbox.Timedout").contains("after 1.00 seconds");
      assertThat(starts()).isEqualTo(2);
      assertThat(lambda.report(FakeFunction.NAME).live()).isZero();
    }
  }

  @Test
  void exits_isAnExitError() throws Exception {
    try (var lambda = start("exit", 20)) {
      assertThat(Caller.of(lambda).invoke("{}").body())
          .contains("Runtime.ExitError")
          .contains("exit status 7");
      assertThat(lambda.report(FakeFunction.NAME).crashes()).isEqualTo(2);
      assertThat(starts()).isEqualTo(2);
    }
  }

  @Test
  void reportedError_reachesTheCaller() throws Exception {
    try (var lambda = start("error", 20)) {
      var answer = Caller.of(lambda).invoke("{}");

      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
      assertThat(answer.body()).isEqualTo("{\"errorType\":\"Fake.Init\",\"errorMessage\":\"no\"}");
    }
  }

  private LocalLambda start(String init, int timeout) throws IOException {
    return fake.start(
        fake.template(init, timeout, 2), config -> config.initLimit(Duration.ofMillis(800)));
  }

  private int starts() throws IOException {
    return Files.readAllLines(fake.state().resolve("starts")).size();
  }
}
