package dev.spillway.benchmarks.service;

/** A stretch of time by {@link System#nanoTime}: from {@code fromNanos}, before {@code toNanos}. */
record Window(long fromNanos, long toNanos) {
  boolean holds(long nanos) {
    return nanos - fromNanos >= 0 && nanos - toNanos < 0;
  }

  double seconds() {
    return (toNanos - fromNanos) / 1e9;
  }
}
