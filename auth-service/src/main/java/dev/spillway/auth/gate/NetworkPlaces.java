package dev.spillway.auth.gate;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/** Places by network. As large as the number of logins inside: a network without one is absent. */
final class NetworkPlaces {
  /** How long a network counts as coming. */
  private static final Duration LATELY = Duration.ofSeconds(1);

  private final LongSupplier nanoClock;
  private final ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();

  /** The network that came last; a race of two only delays what either would have noticed. */
  private volatile String last;

  /** When a login came from another network than the one before. */
  private volatile long otherNanos;

  NetworkPlaces(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.otherNanos = nanoClock.getAsLong() - LATELY.toNanos();
  }

  /** Whether no other network came lately; to be asked for every login that comes. */
  boolean lone(String network) {
    long now = nanoClock.getAsLong();
    String before = last;
    if (!network.equals(before)) {
      last = network;
      if (before != null) {
        otherNanos = now;
      }
    }
    return now - otherNanos >= LATELY.toNanos();
  }

  int taken(String network) {
    return taken.getOrDefault(network, 0);
  }

  void take(String network) {
    taken.merge(network, 1, Integer::sum);
  }

  void giveBack(String network) {
    taken.computeIfPresent(network, (same, places) -> places == 1 ? null : places - 1);
  }

  /** Networks that have a place. */
  int size() {
    return taken.size();
  }
}
