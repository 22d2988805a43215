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
  /** Waited for by those that are too slow, and enough to write down that one was started. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @Test
  void tooSlowOnce_secondAttemptAnswers() throws Exception {
    try (var lambda = start("slow-once", 20, SHORT)) {
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
    try (var lambda = start("slow", 3, SHORT)) {
      var answer = Caller.of(lambda).invoke("{}");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("Sandbox.Timedout").contains("after 3.00 seconds");
      assertThat(starts()).isEqualTo(2);
      Observe.until("none is left", () -> lambda.report(FakeFunction.NAME).live() == 0);
    }
  }

  @Test
  void exits_isAnExitError() throws Exception {
    try (var lambda = start("exit", 20, LONG)) {
      assertThat(Caller.of(lambda).invoke("{}").body())
          .contains("Runtime.ExitError")
          .contains("exit status 7");
      Observe.until("both counted", () -> lambda.report(FakeFunction.NAME).crashes() == 2);
      assertThat(starts()).isEqualTo(2);
    }
  }

  @Test
  void reportedError_reachesTheCaller() throws Exception {
    try (var lambda = start("error", 20, LONG)) {
      var answer = Caller.of(lambda).invoke("{}");

      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
      assertThat(answer.body()).isEqualTo("{\"errorType\":\"Fake.Init\",\"errorMessage\":\"no\"}");
    }
  }

  private LocalLambda start(String init, int timeout, Duration initLimit) throws IOException {
    return fake.start(fake.template(init, timeout, 2), config -> config.initLimit(initLimit));
  }

  private int starts() throws IOException {
    return Files.readAllLines(fake.state().resolve("starts")).size();
  }
}
