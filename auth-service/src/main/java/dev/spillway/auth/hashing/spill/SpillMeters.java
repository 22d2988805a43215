package dev.spillway.auth.hashing.spill;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The spill's meters, by their Prometheus names {@code spillway_spill_*}. */
final class SpillMeters {
  private static final Duration[] BUCKETS =
      IntStream.of(25, 50, 100, 200, 400, 800, 1600, 3200)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  SpillMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  void observe(Targets targets, Dispatch dispatch) {
    gauge(
        "outstanding.mean",
        "Calls outstanding, averaged over the targets",
        () -> mean(targets.eachOutstanding()));
    gauge(
        "outstanding.variance",
        "Calls outstanding, their variance over the targets",
        () -> variance(targets.eachOutstanding()));
    gauge("waiting", "Jobs that wait for a slot they may share", dispatch::waiting);
    for (int number = 0; number < targets.all().size(); number++) {
      observe(targets, number);
    }
  }

  private void observe(Targets targets, int number) {
    SpillTarget target = targets.all().get(number);
    gauge(
        "outstanding",
        "Calls made and not answered",
        () -> targets.outstanding(number),
        target.name());
    gauge(
        "outstanding.max",
        "Calls that may be outstanding",
        () -> target.plan().maxOutstanding(),
        target.name());
    gauge(
        "cooling",
        "1 while the target is left alone for having failed",
        () -> targets.cooling(number) ? 1 : 0,
        target.name());
    gauge(
        "misconfigured",
        "1 while the target refuses our credentials, permission, its name or our seal; an"
            + " operator must act",
        () -> target.misconfigured() ? 1 : 0,
        target.name());
  }

  void called(SpillTarget target, SpillAnswer answer, Duration took, int jobs) {
    String outcome =
        switch (answer) {
          case SpillAnswer.Computed computed -> "computed";
          case SpillAnswer.NoDigest(SpillAnswer.Reason reason) -> reason.label();
        };
    Timer.builder("spillway.spill.call")
        .description(
            "Calls to functions, by what came of them; one that was broken off with the time for"
                + " which its function goes on")
        .tag("target", target.name())
        .tag("outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
    DistributionSummary.builder("spillway.spill.group")
        .description("Jobs of one call")
        .tag("target", target.name())
        .register(registry)
        .record(jobs);
  }

  void answered(SpillTarget target, Duration took, boolean cold) {
    if (cold) {
      Timer.builder("spillway.spill.cold")
          .description("Answered calls that met a cold start, by the look of them")
          .tag("target", target.name())
          .serviceLevelObjectives(BUCKETS)
          .register(registry)
          .record(took);
    }
  }

  void refused(SpillAnswer.Reason reason) {
    Counter.builder("spillway.spill.refused")
        .description("Jobs no call was made for")
        .tag("reason", reason.label())
        .register(registry)
        .increment();
  }

  void retried(SpillTarget to) {
    Counter.builder("spillway.spill.retries")
        .description("Second calls after a failure")
        .tag("target", to.name())
        .register(registry)
        .increment();
  }

  private void gauge(String name, String description, Supplier<Number> value, String target) {
    Gauge.builder("spillway.spill." + name, value)
        .description(description)
        .tag("target", target)
        .register(registry);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder("spillway.spill." + name, value).description(description).register(registry);
  }

  private static double mean(int[] values) {
    return IntStream.of(values).average().orElse(0);
  }

  private static double variance(int[] values) {
    double mean = mean(values);
    return IntStream.of(values).mapToDouble(v -> (v - mean) * (v - mean)).average().orElse(0);
  }
}
