package dev.spillway.benchmarks.service;

/**
 * One login as its client saw it.
 *
 * @param status of HTTP, or {@link #NO_ANSWER}
 * @param startNanos before the request was sent, by {@link System#nanoTime}
 * @param endNanos when its answer was there
 */
record Attempt(int status, long startNanos, long endNanos) {
  static final int NO_ANSWER = 0;

  boolean granted() {
    return status == 200;
  }

  boolean shed() {
    return status == 503;
  }

  long nanos() {
    return endNanos - startNanos;
  }
}
