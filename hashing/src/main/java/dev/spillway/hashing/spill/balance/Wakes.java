package dev.spillway.hashing.spill.balance;

import java.util.PriorityQueue;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/** What time alone will change. Guarded by the balancer's lock. */
final class Wakes {
  private final PriorityQueue<Wake> wakes = new PriorityQueue<>();
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final IntUnaryOperator below;

  Wakes(LongSupplier nanoClock, IntUnaryOperator below) {
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.below = below;
  }

  /** Up to a quarter later: instances that saw the same failure must not probe together. */
  void in(long nanos, TargetLoad load) {
    long jitter = (nanos >> 12) * below.applyAsInt(1024);
    wakes.add(new Wake(now() + nanos + jitter, load, load.epoch));
  }

  /** The next target that something is due for; null if there is none. */
  TargetLoad due() {
    long now = now();
    while (!wakes.isEmpty() && wakes.peek().atNanos() <= now) {
      Wake wake = wakes.remove();
      if (wake.epoch() == wake.load().epoch) {
        return wake.load();
      }
    }
    return null;
  }

  private long now() {
    return nanoClock.getAsLong() - startNanos;
  }

  private record Wake(long atNanos, TargetLoad load, int epoch) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
      return Long.compare(atNanos, other.atNanos);
    }
  }
}
