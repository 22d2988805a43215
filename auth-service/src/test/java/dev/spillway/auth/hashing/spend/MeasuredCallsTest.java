package dev.spillway.auth.hashing.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeasuredCallsTest {
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CompositeMeterRegistry meters = new CompositeMeterRegistry();
  private final MeasuredCalls measured = new MeasuredCalls(prometheus);

  @BeforeEach
  void toldToAll() {
    meters.add(prometheus);
  }

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
    assertThat(measured.soFar()).isEqualTo(new Calls(4, Duration.ofMillis(1350)));
  }

  /** Of all registries together, any one answers: with CloudWatch, calls could be for nothing. */
  @Test
  void whoeverElseIsToldOfCalls_theyArePaidFor() {
    for (int i = 0; i < 50; i++) {
      MeterRegistry other = new SimpleMeterRegistry();
      other.config().meterFilter(MeterFilter.deny());
      meters.add(other);
    }
    called("one", "computed", 200);
    assertThat(measured.soFar()).isEqualTo(new Calls(1, Duration.ofMillis(200)));
  }

  private void called(String target, String outcome, long millis) {
    meters
        .timer("spillway.spill.call", "target", target, "outcome", outcome)
        .record(Duration.ofMillis(millis));
  }
}
