package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.overload.Outcome;
import dev.spillway.benchmarks.overload.Tally;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One load on one contender, and what came of it.
 *
 * @param age warm, or young: from the moment it was ready
 * @param neighbours busy processes beside it
 * @param times how often the pool's peak is offered; NaN where that is not what was asked
 * @param used CPU within the window
 */
record OverloadStep(
    OverloadContender contender,
    String what,
    String age,
    int neighbours,
    double times,
    Outcome outcome,
    List<Prober.Probe> probes,
    Window window,
    Usage used,
    Optional<HeapUsed> heap) {

  OverloadStep with(HeapUsed used) {
    return new OverloadStep(
        contender,
        what,
        age,
        neighbours,
        times,
        outcome,
        probes,
        window,
        this.used,
        Optional.of(used));
  }

  Outcome.Of users() {
    return outcome.users();
  }

  double offered() {
    return users().due() / outcome.windowSeconds();
  }

  double granted() {
    return users().perSecond(200, outcome.windowSeconds());
  }

  /** Of the logins that were due: how many were answered 200, whenever. */
  double share() {
    return (double) users().count(200) / users().due();
  }

  double shed() {
    return users().perSecond(503, outcome.windowSeconds());
  }

  double millis(String path, double quantile) {
    return Latencies.of(probes, path, window).millis(quantile);
  }

  long probesFailed() {
    return probes.stream()
        .filter(probe -> window.holds(probe.atNanos()) && probe.status() != 200)
        .count();
  }

  /** Of all CPU that is not hashing; NaN where there are too few refusals to say. */
  double refusalMicros() {
    int refusals = outcome.traffic().stream().mapToInt(one -> one.ended(503)).sum();
    int granted = outcome.traffic().stream().mapToInt(one -> one.ended(200)).sum();
    return contender.isSpillway() && refusals > 10 * granted
        ? used.service().minus(used.hashing()).toNanos() / 1e3 / refusals
        : Double.NaN;
  }

  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("contender", contender.label());
    map.put("what", what);
    map.put("age", age);
    map.put("neighbours", neighbours);
    map.put("times", times);
    outcome.traffic().forEach(one -> map.put(one.name(), traffic(one)));
    map.put("healthP99Millis", millis(Service.HEALTH, 0.99));
    map.put("healthMaxMillis", millis(Service.HEALTH, 1));
    map.put("jwksP99Millis", millis(Service.JWKS, 0.99));
    map.put("probesFailed", probesFailed());
    map.put("serviceCores", used.cores(used.service()));
    map.put("hashCores", used.cores(used.hashing()));
    map.put("generatorCores", outcome.cpuSeconds() / outcome.windowSeconds());
    map.put("benchCores", used.cores(used.load()));
    map.put("refusalCpuMicros", refusalMicros());
    map.put("generatorLateP99Millis", outcome.lateP99Millis());
    map.put("generatorLateMaxMillis", outcome.lateMaxMillis());
    map.put("generatorUnsent", outcome.unsent());
    map.put("generatorBehind", outcome.behind());
    map.put("connections", outcome.connections());
    heap.ifPresent(
        megabytes -> {
          map.put("heapBeforeMegabytes", megabytes.before());
          map.put("heapAfterMegabytes", megabytes.after());
        });
    return map;
  }

  private Map<String, Object> traffic(Outcome.Of one) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("offeredPerSecond", one.due() / outcome.windowSeconds());
    map.put("grantedPerSecond", one.perSecond(200, outcome.windowSeconds()));
    map.put("refusedPerSecond", one.perSecond(503, outcome.windowSeconds()));
    Map<String, Object> statuses = new LinkedHashMap<>();
    for (Outcome.Answers answers : one.answers()) {
      Map<String, Object> status = new LinkedHashMap<>();
      status.put("count", answers.due());
      status.put("p50Millis", answers.p50Millis());
      status.put("p99Millis", answers.p99Millis());
      status.put("maxMillis", answers.maxMillis());
      statuses.put(name(answers.status()), status);
    }
    map.put("share200", (double) one.count(200) / one.due());
    map.put("statuses", statuses);
    map.put("grantedBySecond", one.grantedBySecond());
    return map;
  }

  private static String name(int status) {
    return switch (status) {
      case Tally.NO_ANSWER -> "none";
      case Tally.HUNG_UP -> "hungUp";
      default -> Integer.toString(status);
    };
  }

  /** Megabytes of the heap that are in use after a collection. */
  record HeapUsed(double before, double after) {}
}
