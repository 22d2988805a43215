package dev.spillway.console.metrics;

import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Counts of what was at most so much, as Prometheus keeps them. */
public final class Histogram {
  /** By upper bound, each including all smaller ones; the last bound is infinity. */
  private final NavigableMap<Double, Double> cumulative;

  Histogram(NavigableMap<Double, Double> cumulative) {
    this.cumulative = new TreeMap<>(cumulative);
  }

  /** Both, if they have the same bounds. */
  public Histogram plus(Histogram other) {
    NavigableMap<Double, Double> sum = new TreeMap<>(cumulative);
    other.cumulative.forEach((bound, count) -> sum.merge(bound, count, Double::sum));
    return new Histogram(sum);
  }

  /** How many there are. */
  public double count() {
    return cumulative.isEmpty() ? 0 : cumulative.lastEntry().getValue();
  }

  /**
   * What the share {@code q} of all stays under, estimated as Prometheus's {@code
   * histogram_quantile} does: evenly spread within a bucket, and the largest finite bound if it
   * lies beyond that.
   *
   * @param q over 0, at most 1
   * @return in the metric's unit; empty if there is nothing to tell from
   */
  public OptionalDouble quantile(double q) {
    double rank = q * count();
    if (rank <= 0) {
      return OptionalDouble.empty();
    }
    double lower = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : cumulative.entrySet()) {
      double upper = bucket.getKey();
      if (bucket.getValue() >= rank && Double.isFinite(upper)) {
        double within = (rank - below) / (bucket.getValue() - below);
        return OptionalDouble.of(lower + (upper - lower) * within);
      }
      if (Double.isFinite(upper)) {
        lower = upper;
        below = bucket.getValue();
      }
    }
    return OptionalDouble.of(lower);
  }
}
