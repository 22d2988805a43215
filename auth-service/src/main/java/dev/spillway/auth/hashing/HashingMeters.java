package dev.spillway.auth.hashing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * {@code spillway_hashing_total}: every hash asked for, by where it was computed, or that it was
 * not.
 */
final class HashingMeters {
  private final Counter local;
  private final Counter spilled;
  private final Counter shed;
  private final Counter gone;

  HashingMeters(MeterRegistry registry) {
    this.local = counter(registry, "local");
    this.spilled = counter(registry, "spilled");
    this.shed = counter(registry, "shed");
    this.gone = counter(registry, "gone");
  }

  void ended(Hashing.Outcome outcome) {
    Counter counter =
        switch (outcome) {
          case Hashing.Outcome.Digested(var digest, Verdict.Path path) ->
              switch (path) {
                case LOCAL -> local;
                case SPILLED -> spilled;
              };
          case Hashing.Outcome.Shed shedOne -> shed;
          case Hashing.Outcome.Gone goneOne -> gone;
        };
    counter.increment();
  }

  private static Counter counter(MeterRegistry registry, String path) {
    return Counter.builder("spillway.hashing")
        .description("Hashes asked for, by path")
        .tag("path", path)
        .register(registry);
  }
}
