package dev.spillway.benchmarks.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How one contender fared.
 *
 * @param seconds the spike's course
 * @param figures by name, in the order in which they are told; NaN where there is none
 * @param search how that for the most it takes has ended; empty if there was none
 * @param faults what must never happen and did
 */
record SpikeResult(
    SpikeContender contender,
    List<Second> seconds,
    Map<String, Double> figures,
    Optional<SearchEnd> search,
    List<String> faults) {

  /**
   * One second of the course.
   *
   * @param offered logins that were due
   * @param granted of those, answered 200 in the end
   * @param shed of those, 503
   * @param other of those, anything else, or nothing within the client's patience
   * @param p50 milliseconds of those that were not shed; NaN if there were none
   * @param p99 likewise
   * @param healthP99 milliseconds, of the probes sent in this second
   * @param local hashes that the pool computed in this second
   * @param spilled hashes that functions computed in this second
   * @param cores busy with the service in this second
   */
  record Second(
      int offered,
      int granted,
      int shed,
      int other,
      double p50,
      double p99,
      double healthP99,
      double local,
      double spilled,
      double cores) {

    Map<String, Object> asMap() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("offered", offered);
      map.put("granted", granted);
      map.put("shed", shed);
      map.put("other", other);
      map.put("p50", p50);
      map.put("p99", p99);
      map.put("healthP99", healthP99);
      map.put("local", local);
      map.put("spilled", spilled);
      map.put("cores", cores);
      return map;
    }
  }

  double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }

  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("label", contender.label());
    map.put("about", contender.about());
    map.put("figures", figures);
    search.ifPresent(end -> map.put("search", end.label()));
    map.put("faults", faults);
    map.put("seconds", seconds.stream().map(Second::asMap).toList());
    return map;
  }
}
