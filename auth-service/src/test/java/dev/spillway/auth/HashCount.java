package dev.spillway.auth;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** How many hashes the service has spent since this was made. */
public final class HashCount {
  private final MeterRegistry meters;
  private final long asked;
  private final long computed;

  public HashCount(MeterRegistry meters) {
    this.meters = meters;
    this.asked = asked(meters);
    this.computed = computed(meters);
  }

  /** By the router: whatever became of them. */
  public long asked() {
    return asked(meters) - asked;
  }

  /** By the pool: to their end. */
  public long computed() {
    return computed(meters) - computed;
  }

  private static long asked(MeterRegistry meters) {
    return (long)
        meters.get("spillway.hashing").counters().stream().mapToDouble(Counter::count).sum();
  }

  private static long computed(MeterRegistry meters) {
    return meters.get("spillway.pool.hash").tag("outcome", "digested").timer().count();
  }
}
