package dev.spillway.auth.hashing.spend;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Adds up what the spill has measured of its calls. It reads Prometheus's registry: the one of all
 * registries answers with what any of them says, and the one for CloudWatch holds no calls.
 */
final class MeasuredCalls {
  /** What never reached a function costs nothing. */
  private static final Set<String> FREE = Set.of("throttled", "unreachable", "misconfigured");

  private final PrometheusMeterRegistry registry;

  MeasuredCalls(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  /** Since the start. */
  Calls soFar() {
    long count = 0;
    long nanos = 0;
    for (Timer calls : registry.find("spillway.spill.call").timers()) {
      if (!FREE.contains(calls.getId().getTag("outcome"))) {
        count += calls.count();
        nanos += (long) calls.totalTime(TimeUnit.NANOSECONDS);
      }
    }
    return new Calls(count, Duration.ofNanos(nanos));
  }
}
