package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers are those of the invariants in Function. */
class FunctionTest {
  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  /** F1, F2: as many processes as calls, up to the limit; one more is refused at once. */
  @Test
  void callsAtOnce_getAProcessEachAndThenARefusal() throws Exception {
    try (var lambda = fake.start(fake.template("", 20, 3), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      var held = hold(caller, 3);
      Observe.until("three busy", () -> lambda.report(FakeFunction.NAME).busy() == 3);

      var refused = caller.invoke("\"pid\"");

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("x-amzn-ErrorType"))
          .contains("TooManyRequestsException");
      assertThat(refused.body())
          .isEqualTo(
              "{\"Reason\":\"ReservedFunctionConcurrentInvocationLimitExceeded\","
                  + "\"Type\":\"User\",\"message\":\"Rate Exceeded.\"}");
      fake.release();
      assertThat(held.stream().map(answer -> answer.join().body()).distinct()).hasSize(3);
      assertThat(lambda.report(FakeFunction.NAME))
          .returns(3L, report -> report.live())
          .returns(3L, report -> report.coldStarts())
          .returns(1L, report -> report.throttles());
    }
  }

  /** F1: an environment in init counts. */
  @Test
  void init_countsAgainstTheLimit() throws Exception {
    try (var lambda = fake.start(fake.template("slow", 20, 1), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      var starting = caller.begin("\"pid\"");
      Observe.until("in init", () -> lambda.report(FakeFunction.NAME).initialising() == 1);

      assertThat(caller.invoke("\"pid\"").statusCode()).isEqualTo(429);
      starting.cancel(true);
    }
  }

  /** F1: a reservation of nothing refuses everything, which is how a function is switched off. */
  @Test
  void reservationOfZero_refusesAll() throws Exception {
    var template = fake.template("", 20, 3);
    try (var lambda = fake.start(template, config -> config.parameter("Reserved", "0"))) {
      assertThat(Caller.of(lambda).invoke("1").statusCode()).isEqualTo(429);
    }
  }

  /** F4: the one that went idle last is taken first. */
  @Test
  void reuse_isMostRecentFirst() throws Exception {
    try (var lambda = fake.start()) {
      var caller = Caller.of(lambda);
      var held = hold(caller, 3);
      Observe.until("three busy", () -> lambda.report(FakeFunction.NAME).busy() == 3);
      fake.release();
      held.forEach(CompletableFuture::join);

      long taken = caller.pid();

      for (int call = 0; call < 5; call++) {
        assertThat(caller.pid()).isEqualTo(taken);
      }
    }
  }

  /** F5: with a limit of one, every way to end an event gives the permit back before the answer. */
  @Test
  void everyEnding_givesThePermitBack() throws Exception {
    try (var lambda = fake.start(fake.template("", 4, 1), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      for (String event :
          List.of("\"pid\"", "\"exit 3\"", "\"error\"", "\"sleep\"", "\"crash\"", "\"large\"")) {
        assertThat(caller.invoke(event).statusCode()).as(event).isEqualTo(200);
        assertThat(caller.invoke("\"pid\"").statusCode()).as("after " + event).isEqualTo(200);
      }
    }
  }

  /** F3, F5: callers that fight over two environments are answered or refused, nothing is lost. */
  @RepeatedTest(10)
  void manyCallers_neverExceedTheLimitAndLoseNothing() throws Exception {
    try (var lambda = fake.start(fake.template("", 20, 2), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      var answers =
          IntStream.range(0, 60).mapToObj(i -> caller.begin("\"pid\"")).toList().stream()
              .map(answer -> answer.join().statusCode())
              .toList();

      assertThat(answers).containsOnly(200, 429);
      assertThat(lambda.report(FakeFunction.NAME).started()).isLessThanOrEqualTo(2);
      assertThat(caller.invoke("\"pid\"").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void idleEnvironment_isReaped() throws Exception {
    var template = fake.template("", 20, 3);
    try (var lambda = fake.start(template, config -> config.idleLife(Duration.ofMillis(50)))) {
      long pid = Caller.of(lambda).pid();

      Observe.until("reaped", () -> !Observe.exists(pid));
      Observe.until("forgotten", () -> lambda.report(FakeFunction.NAME).live() == 0);
      assertThat(lambda.report(FakeFunction.NAME).crashes()).isZero();
    }
  }

  @Test
  void asynchronousEvent_waitsForAPermit() throws Exception {
    try (var lambda = fake.start(fake.template("", 20, 1), UnaryOperator.identity())) {
      var caller = Caller.of(lambda);
      var held = caller.begin("\"hold\"");
      Observe.until("busy", () -> lambda.report(FakeFunction.NAME).busy() == 1);
      var event =
          caller.send(
              caller.invocation("Fake", "\"event\"").header("X-Amz-Invocation-Type", "Event"));

      assertThat(event.statusCode()).isEqualTo(202);
      assertThat(event.body()).isEmpty();
      assertThat(fake.state().resolve("seen")).doesNotExist();
      fake.release();
      held.join();
      Observe.until("run", () -> Files.exists(fake.state().resolve("seen")));
    }
  }

  private static List<CompletableFuture<HttpResponse<String>>> hold(Caller caller, int calls) {
    return IntStream.range(0, calls).mapToObj(i -> caller.begin("\"hold\"")).toList();
  }
}
