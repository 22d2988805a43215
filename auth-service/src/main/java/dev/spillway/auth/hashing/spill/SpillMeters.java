package dev.spillway.auth.hashing.spill;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The spill's meters, by their Prometheus names {@code spillway_spill_*}. */
final class SpillMeters {
  private final MeterRegistry registry;

  SpillMeters(MeterRegistry registry, List<SpillTarget> targets) {
    this.registry = registry;
    for (SpillTarget target : targets) {
      Gauge.builder("spillway.spill.outstanding", target, SpillTarget::outstanding)
          .description("Calls made and not answered")
          .tag("target", target.name())
          .register(registry);
      Gauge.builder("spillway.spill.outstanding.max", target, SpillTarget::maxOutstanding)
          .description("Calls that may be outstanding at once")
          .tag("target", target.name())
          .register(registry);
    }
  }

  void called(SpillTarget target, SpillAnswer answer, long nanos) {
    String outcome =
        switch (answer) {
          case SpillAnswer.Computed computed -> "computed";
          case SpillAnswer.NoDigest(SpillAnswer.Reason reason) -> reason.label();
        };
    Timer.builder("spillway.spill.call")
        .description("Calls to functions, by what came of them")
        .tag("target", target.name())
        .tag("outcome", outcome)
        .serviceLevelObjectives(
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofMillis(1600),
            Duration.ofMillis(3200))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
