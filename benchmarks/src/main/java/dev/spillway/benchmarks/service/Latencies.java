package dev.spillway.benchmarks.service;

import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

/** Latencies of one kind, ascending, in nanoseconds. */
final class Latencies {
  private final long[] sorted;

  private Latencies(LongStream nanos) {
    sorted = nanos.sorted().toArray();
  }

  static Latencies of(Collection<Attempt> attempts) {
    return new Latencies(attempts.stream().mapToLong(Attempt::nanos));
  }

  static Latencies ofNanos(Collection<Long> nanos) {
    return new Latencies(nanos.stream().mapToLong(Long::longValue));
  }

  /** Of the probes sent to {@code path} within {@code window}. */
  static Latencies of(List<Prober.Probe> probes, String path, Window window) {
    return new Latencies(
        probes.stream()
            .filter(probe -> probe.path().equals(path) && window.holds(probe.atNanos()))
            .mapToLong(Prober.Probe::nanos));
  }

  /** NaN if there are none. */
  double millis(double quantile) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.round(quantile * (sorted.length - 1))] / 1e6;
  }
}
