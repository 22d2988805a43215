package dev.spillway.hashing.micrometer;

import dev.spillway.hashing.HashingMeters;
import dev.spillway.hashing.cpu.CpuShare;
import dev.spillway.hashing.cpu.CpuWatch;
import dev.spillway.hashing.pool.PoolMeters;
import dev.spillway.hashing.spill.call.SpillMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** The library's meters in a Micrometer registry; their names all begin with {@code spillway.}. */
public final class MicrometerMeters {
  private MicrometerMeters() {}

  /** {@code spillway.hashing.*}. */
  public static HashingMeters hashing(MeterRegistry registry) {
    return new MicrometerHashingMeters(registry);
  }

  /** {@code spillway.pool.*}. */
  public static PoolMeters pool(MeterRegistry registry) {
    return new MicrometerPoolMeters(registry);
  }

  /** {@code spillway.spill.*}. */
  public static SpillMeters spill(MeterRegistry registry) {
    return new MicrometerSpillMeters(registry);
  }

  /** {@code spillway.pool.cpu.*}: registers gauges that read the watch. */
  public static void cpu(CpuWatch watch, MeterRegistry registry) {
    Gauge.builder("spillway.pool.cpu.share", watch, w -> w.share().share())
        .description("CPU time of hash threads, as a part of what they have work for")
        .register(registry);
    for (CpuShare.Cause cause : CpuShare.Cause.values()) {
      if (cause != CpuShare.Cause.NONE) {
        Gauge.builder("spillway.pool.cpu.short", watch, w -> w.share().cause() == cause ? 1 : 0)
            .description("Whether hash threads get clearly less CPU time than they want, and why")
            .tag("cause", cause.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    FunctionCounter.builder("spillway.pool.cpu.throttled", watch, CpuWatch::throttled)
        .description("Periods in which the container used up its CPU quota")
        .register(registry);
  }
}
