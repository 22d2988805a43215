package dev.spillway.auth.hashing.spill;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where hashing spills to and how, as far as that may change while the service runs: a whole, known
 * to make sense.
 *
 * @param targets by the operator's names for them
 * @param keepWarmInterval between two rounds of pings
 */
public record SpillPlan(Map<String, Target> targets, SpillRules rules, Duration keepWarmInterval) {
  private static final Duration LONGEST_GROUP_WAIT = Duration.ofSeconds(1);
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  static final SpillPlan NOWHERE =
      new SpillPlan(Map.of(), new SpillRules(Duration.ZERO, 1, 0, false), Duration.ofMinutes(4));

  /**
   * One target.
   *
   * @param maxOutstanding calls outstanding at once
   * @param keepWarm execution environments that pings keep warm; 0 for none
   */
  public record Target(TargetAddress address, int maxOutstanding, int keepWarm) {}

  public SpillPlan {
    targets = Map.copyOf(targets);
  }

  /**
   * @throws IllegalArgumentException if the configuration cannot work, saying which key and why
   */
  public static SpillPlan of(SpillConfig config) {
    within("group-wait", config.groupWait(), Duration.ZERO, LONGEST_GROUP_WAIT);
    within("keep-warm-interval", config.keepWarmInterval(), SHORTEST_INTERVAL, LONGEST_INTERVAL);
    Map<String, Target> targets = new TreeMap<>();
    config.targets().forEach((name, target) -> targets.put(name, target(name, target)));
    return new SpillPlan(
        targets,
        new SpillRules(
            config.groupWait(), config.maxGroup(), config.retryPercent(), config.hedge()),
        config.keepWarmInterval());
  }

  private static Target target(String name, SpillConfig.Target target) {
    if (target.keepWarm() > target.maxOutstanding()) {
      String key = "spillway.spill.targets." + name;
      throw new IllegalArgumentException(
          key + ".keep-warm must not exceed " + key + ".max-outstanding: pings count against it");
    }
    return new Target(TargetAddress.of(name, target), target.maxOutstanding(), target.keepWarm());
  }

  static void within(String key, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "spillway.spill." + key + " must be from " + least + " to " + most);
    }
  }
}
