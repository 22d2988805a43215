package dev.spillway.hashing.micrometer;

import dev.spillway.hashing.spill.call.SpillMeters;
import dev.spillway.hashing.spill.target.SpillState;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The spill's meters, by their Prometheus names {@code spillway_spill_*}. */
final class MicrometerSpillMeters implements SpillMeters {
  private static final Duration[] BUCKETS =
      IntStream.of(25, 50, 100, 200, 400, 800, 1600, 3200)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  MicrometerSpillMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void observe(Supplier<SpillState> spill) {
    gauge(
        "outstanding.mean",
        "Calls outstanding, averaged over the targets",
        () -> mean(outstanding(spill.get())));
    gauge(
        "outstanding.variance",
        "Calls outstanding, their variance over the targets",
        () -> variance(outstanding(spill.get())));
    gauge("waiting", "Jobs that wait for a slot they may share", () -> spill.get().waiting());
    List<SpillState.Target> targets = spill.get().targets();
    for (int i = 0; i < targets.size(); i++) {
      int number = i;
      observe(targets.get(number).name(), () -> spill.get().targets().get(number));
    }
  }

  private void observe(String name, Supplier<SpillState.Target> target) {
    gauge("outstanding", "Calls made and not answered", () -> target.get().outstanding(), name);
    gauge(
        "outstanding.max",
        "Calls that may be outstanding",
        () -> target.get().maxOutstanding(),
        name);
    gauge(
        "cooling",
        "1 while the target is left alone for having failed",
        () -> target.get().cooling() ? 1 : 0,
        name);
    gauge(
        "misconfigured",
        "1 while the target refuses our credentials, permission, its name or our seal; an"
            + " operator must act",
        () -> target.get().misconfigured() ? 1 : 0,
        name);
  }

  @Override
  public void called(String target, SpillAnswer answer, Duration took, int jobs) {
    String outcome =
        switch (answer) {
          case SpillAnswer.Computed computed -> "computed";
          case SpillAnswer.NoDigest(SpillAnswer.Reason reason) -> reason.label();
        };
    Timer.builder("spillway.spill.call")
        .description(
            "Calls to functions, by what came of them; one that was broken off with the time for"
                + " which its function goes on")
        .tag("target", target)
        .tag("outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
    DistributionSummary.builder("spillway.spill.group")
        .description("Jobs of one call")
        .tag("target", target)
        .register(registry)
        .record(jobs);
  }

  @Override
  public void coldStart(String target, Duration took) {
    Timer.builder("spillway.spill.cold")
        .description("Answered calls that met a cold start, by the look of them")
        .tag("target", target)
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
  }

  @Override
  public void refused(SpillAnswer.Reason reason) {
    Counter.builder("spillway.spill.refused")
        .description("Jobs no call was made for")
        .tag("reason", reason.label())
        .register(registry)
        .increment();
  }

  @Override
  public void retried(String target) {
    Counter.builder("spillway.spill.retries")
        .description("Second calls after a failure")
        .tag("target", target)
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

  private static int[] outstanding(SpillState spill) {
    return spill.targets().stream().mapToInt(SpillState.Target::outstanding).toArray();
  }

  private static double mean(int[] values) {
    return IntStream.of(values).average().orElse(0);
  }

  private static double variance(int[] values) {
    double mean = mean(values);
    return IntStream.of(values).mapToDouble(v -> (v - mean) * (v - mean)).average().orElse(0);
  }
}
