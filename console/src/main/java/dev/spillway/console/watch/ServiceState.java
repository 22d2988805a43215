package dev.spillway.console.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A running service at one moment.
 *
 * @param at when its metrics were read
 * @param up how long it has been running
 * @param logins by outcome: {@code granted}, {@code denied}, {@code shed}, {@code failed}, {@code
 *     gone}, {@code throttled}
 * @param hashes by path: {@code local}, {@code spilled}, {@code shed}, {@code gone}; those of new
 *     passwords too
 * @param latency of logins that were decided, from the request's head to the end of the answer
 * @param window what all percentiles are taken over
 */
record ServiceState(
    Instant at,
    Duration up,
    Pool pool,
    Map<String, Rate> logins,
    Map<String, Rate> hashes,
    Latency latency,
    Duration window,
    Spill spill) {

  /**
   * The pool.
   *
   * @param used permits held by running hashes
   * @param size permits there are: threads times lanes
   * @param waiting callers in line for one
   * @param waitEstimate time in line for one that came now
   * @param hash one hash of cost {@code cost}, as measured lately
   * @param cost of new hashes
   */
  record Pool(
      int used,
      int size,
      int threads,
      int waiting,
      Duration waitEstimate,
      Duration hash,
      int cost) {}

  /**
   * The spill targets.
   *
   * @param waiting jobs that wait for a slot
   * @param targets by name; none if nothing spills
   */
  record Spill(int waiting, List<Target> targets) {
    int pending() {
      return targets.stream().mapToInt(Target::pending).sum();
    }

    /**
     * Pending calls, averaged over the targets. The service has metrics of it and of the variance,
     * but gauges of one scrape are read one after the other: those would not be of the calls shown.
     */
    double average() {
      return targets.stream().mapToInt(Target::pending).average().orElse(0);
    }

    /** Of pending calls over the targets. */
    double variance() {
      double average = average();
      return targets.stream()
          .mapToDouble(target -> Math.pow(target.pending() - average, 2))
          .average()
          .orElse(0);
    }
  }

  double loginsPerSecond() {
    return logins.values().stream().mapToDouble(Rate::perSecond).sum();
  }
}
