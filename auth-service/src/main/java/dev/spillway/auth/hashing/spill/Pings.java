package dev.spillway.auth.hashing.spill;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The pings that are out, each holding a slot that a call may want. */
final class Pings {
  private final Set<Ping> out = ConcurrentHashMap.newKeySet();

  void add(Ping ping) {
    out.add(ping);
  }

  void remove(Ping ping) {
    out.remove(ping);
  }

  int size() {
    return out.size();
  }

  /** Whether a slot is free now that a ping had. */
  boolean oneGivesWay() {
    for (Ping ping : out) {
      if (ping.giveWay()) {
        return true;
      }
    }
    return false;
  }
}
