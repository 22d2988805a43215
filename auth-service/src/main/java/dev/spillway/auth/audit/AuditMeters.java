package dev.spillway.auth.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What becomes of entries, by the Prometheus names {@code spillway_audit_*}. */
final class AuditMeters {
  private final MeterRegistry registry;
  private final Counter written;
  private final Map<Loss, Counter> lost = new EnumMap<>(Loss.class);

  /** Why an attempt is not in the table. */
  enum Loss {
    /** Attempts came faster than the writer took them; it is not in the log either. */
    BUFFER,
    /** The database did not answer for so long that no more could wait for it. */
    DATABASE,
    /** The database refused it: a bug, which the log tells. */
    REFUSED
  }

  AuditMeters(MeterRegistry registry) {
    this.registry = registry;
    this.written =
        Counter.builder("spillway.audit.written")
            .description("Attempts that are in the audit table")
            .register(registry);
    for (Loss loss : Loss.values()) {
      lost.put(
          loss,
          Counter.builder("spillway.audit.lost")
              .description("Attempts that are not in the audit table and never will be")
              .tag("reason", loss.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  <T> void observe(T owner, ToIntFunction<T> waiting) {
    Gauge.builder("spillway.audit.waiting", owner, waiting::applyAsInt)
        .description("Entries that wait for the writer or for the database")
        .register(registry);
  }

  void written(int attempts) {
    written.increment(attempts);
  }

  void lost(Loss loss, int attempts) {
    lost.get(loss).increment(attempts);
  }
}
