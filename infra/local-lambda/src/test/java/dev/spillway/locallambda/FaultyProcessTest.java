package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that befall real processes. */
class FaultyProcessTest {
  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @ParameterizedTest
  @CsvSource({"CRASH, signal: killed", "EXIT, signal: terminated"})
  void processEndsInMidInvocation_andTheNextIsServedByAnother(Fault fault, String how)
      throws Exception {
    try (var lambda = fake.start()) {
      Caller caller = Caller.of(lambda);
      long pid = caller.pid();
      lambda.inject(fault);

      var answer = caller.invoke("\"event\"");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
      assertThat(answer.body()).contains("Runtime.ExitError").contains(how);
      assertThat(Observe.exists(pid)).isFalse();
      Observe.until("counted", () -> lambda.report(FakeFunction.NAME).crashes() == 1);
      lambda.heal();
      assertThat(caller.pid()).isNotEqualTo(pid);
    }
  }

  @Test
  void slow_takesTenTimesAsLong() throws Exception {
    try (var lambda = fake.start()) {
      lambda.inject(Fault.SLOW);
      var held = Caller.of(lambda).begin("\"hold\"");
      Observe.until("it is at work", () -> lambda.report(FakeFunction.NAME).busy() == 1);
      long atWork = System.nanoTime();
      Thread.sleep(100); // what is to be multiplied by ten
      long released = System.nanoTime();
      fake.release();
      assertThat(held.get().statusCode()).isEqualTo(200);
      assertThat(System.nanoTime() - released)
          .as("nine times what it worked before the release, or more")
          .isGreaterThanOrEqualTo(9 * (released - atWork));
    }
  }

  @Test
  void slow_isStillEndedByTheFunctionsTimeout() throws Exception {
    try (var lambda = fake.start(fake.template("", 1, 2), config -> config)) {
      lambda.inject(Fault.SLOW);
      var held = Caller.of(lambda).begin("\"hold\"");
      Observe.until(
          "it is at work, or was for too long",
          () -> lambda.report(FakeFunction.NAME).busy() == 1 || held.isDone());
      Thread.sleep(300); // what is to be multiplied by ten
      fake.release();
      assertThat(held.get().body()).contains("Sandbox.Timedout");
      Observe.until("counted", () -> lambda.report(FakeFunction.NAME).timeouts() == 1);
    }
  }

  @Test
  void slowInit_isKilledAndTriedOnceMore() throws Exception {
    try (var lambda =
        fake.start(fake.template("", 20, 2), config -> config.initLimit(Duration.ofMillis(500)))) {
      lambda.inject(Fault.SLOW_INIT);

      assertThat(Caller.of(lambda).invoke("1").body()).isEqualTo("1");

      assertThat(lambda.report(FakeFunction.NAME).started()).isEqualTo(2);
      assertThat(fake.log()).anyMatch(line -> line.startsWith("init of Fake/1"));
      assertThat(Caller.of(lambda).invoke("2").body()).as("warm from then on").isEqualTo("2");
      assertThat(lambda.report(FakeFunction.NAME).started()).isEqualTo(2);
    }
  }

  @Test
  void noInit_isTheFunctionsTimeout() throws Exception {
    try (var lambda =
        fake.start(fake.template("", 1, 2), config -> config.initLimit(Duration.ofMillis(500)))) {
      lambda.inject(Fault.NO_INIT);

      assertThat(Caller.of(lambda).invoke("1").body()).contains("Sandbox.Timedout");

      assertThat(lambda.report(FakeFunction.NAME).started()).isEqualTo(2);
      Observe.until("none is left", () -> lambda.report(FakeFunction.NAME).live() == 0);
    }
  }
}
