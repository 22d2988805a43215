package dev.spillway.locallambda.environment;

import java.util.concurrent.atomic.LongAdder;

/** The counts of one function since the start; each only grows. */
record Counters(
    LongAdder started,
    LongAdder coldStarts,
    LongAdder invocations,
    LongAdder throttles,
    LongAdder functionErrors,
    LongAdder timeouts,
    LongAdder crashes) {
  static Counters zero() {
    return new Counters(
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder());
  }
}
