package dev.spillway.benchmarks.service;

import java.time.Duration;

/**
 * The load every contender gets: quiet, ten times as much, quiet again.
 *
 * @param baseline logins per second before and after the spike
 */
record SpikeShape(double baseline, SpikeLength parts) {
  static final int FACTOR = 10;

  double perSecond(double seconds) {
    return inSpike(seconds) ? FACTOR * baseline : baseline;
  }

  boolean inSpike(double seconds) {
    double since = seconds - parts.before().toMillis() / 1e3;
    return since >= 0 && since < parts.spike().toMillis() / 1e3;
  }

  Duration length() {
    return parts.before().plus(parts.spike()).plus(parts.after());
  }
}
