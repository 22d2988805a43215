package dev.spillway.auth.dashboard;

import java.util.List;
import java.util.Map;

/**
 * Values of the service's meters at one moment. Counts only grow: a reader subtracts two samples to
 * know what happened between them. Times are in seconds.
 *
 * @param at milliseconds since 1970
 * @param up since the start of the process
 * @param hashes asked for, by path
 * @param logins attempted, by outcome
 * @param latency logins answered 200 or 401 within each time, the last one being all
 */
record Sample(
    long at,
    double up,
    Pool pool,
    Map<String, Double> hashes,
    Map<String, Double> logins,
    List<Bucket> latency,
    Spill spill,
    Spend spend) {

  /**
   * @param used permits held, one for each busy lane
   * @param expected in line, of a hash that came now
   * @param hash of cost 10, as measured lately
   * @param admitted callers that were given a permit
   * @param waited in line by all of them together
   * @param cpu that hash threads get, as a part of what they have work for
   * @param cpuShort why that is too little; empty if it is not
   */
  record Pool(
      int permits,
      int used,
      int threads,
      int waiting,
      int cost,
      double expected,
      double hash,
      double admitted,
      double waited,
      double cpu,
      String cpuShort) {}

  /**
   * @param within absent in the last one
   */
  record Bucket(Double within, double count) {}

  /**
   * @param waiting jobs that wait for a slot
   */
  record Spill(int waiting, double average, double variance, List<Target> targets) {}

  /**
   * @param pending calls made and not answered
   * @param most calls that may be pending
   */
  record Target(String name, int pending, int most, boolean cooling, boolean misconfigured) {}

  /**
   * @param money spent in the hour and the day, in the currency of the configured prices
   * @param share of the ceiling that is spent, of the minute, the hour and the day
   */
  record Spend(boolean stopped, Map<String, Double> money, Map<String, Double> share) {}
}
