package dev.spillway.auth.hashing.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeasuredCallsTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final MeasuredCalls measured = new MeasuredCalls(meters);

  @Test
  void whatReachedAFunction_isPaidFor_whateverCameOfIt() {
    assertThat(measured.soFar()).isEqualTo(Calls.NONE);
    called("one", "computed", 200);
    called("two", "computed", 100);
    called("two", "function_error", 50);
    called("two", "late", 1000);
    called("two", "throttled", 5);
    called("two", "unreachable", 5);
    called("two", "misconfigured", 5);
    meters
        .timer("spillway.spill.ping", "target", "one", "outcome", "answered")
        .record(Duration.ofMillis(7));
    assertThat(measured.soFar()).isEqualTo(new Calls(5, Duration.ofMillis(1357)));
  }

  private void called(String target, String outcome, long millis) {
    meters
        .timer("spillway.spill.call", "target", target, "outcome", outcome)
        .record(Duration.ofMillis(millis));
  }
}
