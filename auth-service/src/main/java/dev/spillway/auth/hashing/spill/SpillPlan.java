package dev.spillway.auth.hashing.spill;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where hashing spills to: the configuration once it is known to make sense.
 *
 * @param targets by the operator's names for them, sorted
 */
record SpillPlan(SortedMap<String, Target> targets) {
  /**
   * One target.
   *
   * @param maxOutstanding calls outstanding at once
   */
  record Target(TargetAddress address, int maxOutstanding) {
    /** For the log. */
    @Override
    public String toString() {
      return "%s at %s, at most %d call(s) outstanding"
          .formatted(address.function(), address.endpoint(), maxOutstanding);
    }
  }

  /** Calls that may be outstanding, by the names of the targets. */
  SortedMap<String, Integer> maxOutstanding() {
    SortedMap<String, Integer> bounds = new TreeMap<>();
    targets.forEach((name, target) -> bounds.put(name, target.maxOutstanding()));
    return bounds;
  }

  /**
   * @throws IllegalArgumentException if the configuration cannot work, saying which key and why
   */
  static SpillPlan of(SpillConfig config) {
    SortedMap<String, Target> targets = new TreeMap<>();
    config
        .targets()
        .forEach(
            (name, target) ->
                targets.put(
                    name, new Target(TargetAddress.of(name, target), target.maxOutstanding())));
    return new SpillPlan(targets);
  }
}
