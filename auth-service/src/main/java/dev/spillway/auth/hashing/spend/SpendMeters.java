package dev.spillway.auth.hashing.spend;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What spilling costs, by the Prometheus names {@code spillway_spend_*}. */
final class SpendMeters {
  private final MeterRegistry registry;
  private final Map<Purchase.Reason, Counter> refused = new EnumMap<>(Purchase.Reason.class);

  SpendMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Purchase.Reason reason : Purchase.Reason.values()) {
      refused.put(
          reason,
          Counter.builder("spillway.spend.refused")
              .description("Hashes that might have been spilled and were not allowed to")
              .tag("reason", reason.label())
              .register(registry));
    }
  }

  void observe(SpendCeiling ceiling) {
    money("hour", ceiling, SpendReport::hour);
    money("day", ceiling, SpendReport::day);
    share("minute", ceiling, report -> (double) report.minute() / report.perMinute());
    share("hour", ceiling, report -> report.hour() / report.perHour());
    share("day", ceiling, report -> report.day() / report.perDay());
    Gauge.builder("spillway.spend.stopped", ceiling, c -> c.report().open() ? 0 : 1)
        .description("1 while an admin, or the configuration, has stopped all spilling")
        .register(registry);
  }

  void refused(Purchase.Reason reason) {
    refused.get(reason).increment();
  }

  private void money(String span, SpendCeiling ceiling, ToDoubleFunction<SpendReport> value) {
    Gauge.builder("spillway.spend.money", ceiling, c -> value.applyAsDouble(c.report()))
        .description("Spent by all instances, in the currency of the configured prices")
        .tag("span", span)
        .register(registry);
  }

  private void share(String span, SpendCeiling ceiling, ToDoubleFunction<SpendReport> value) {
    Gauge.builder("spillway.spend.share", ceiling, c -> value.applyAsDouble(c.report()))
        .description("Spent, as a share of the ceiling")
        .tag("span", span)
        .register(registry);
  }
}
