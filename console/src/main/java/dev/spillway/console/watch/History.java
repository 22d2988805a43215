package dev.spillway.console.watch;

import dev.spillway.console.metrics.Scrape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The scrapes of the last minute: rates come from the last two, percentiles from all of it, since a
 * second holds too few logins for them.
 */
final class History {
  static final Duration WINDOW = Duration.ofSeconds(60);

  private static final List<String> OUTCOMES =
      List.of("granted", "denied", "shed", "failed", "gone");
  private static final List<String> PATHS = List.of("local", "spilled", "shed", "gone");
  private static final String LOGIN_TIME = "http_server_requests_seconds";
  private static final String CALL_TIME = "spillway_spill_call_seconds";

  private final Deque<Taken> taken = new ArrayDeque<>();

  /** The state at {@code at}; empty for the first scrape, which has nothing to be compared with. */
  Optional<ServiceState> add(Instant at, Scrape scrape) {
    Taken last = taken.peekLast();
    if (last != null && scrape.restartedSince(last.scrape())) {
      // Readings of an earlier process do not count for this one.
      taken.clear();
    }
    taken.addLast(new Taken(at, scrape));
    while (taken.size() > 2 && Duration.between(taken.peekFirst().at(), at).compareTo(WINDOW) > 0) {
      taken.removeFirst();
    }
    return last == null ? Optional.empty() : Optional.of(state(last));
  }

  private ServiceState state(Taken last) {
    Taken now = taken.getLast();
    Scrape scrape = now.scrape();
    Duration up = seconds(value(scrape, "process_uptime_seconds"));
    boolean restarted = scrape.restartedSince(last.scrape());
    Scrape grown = scrape.growthSince(last.scrape());
    Duration over = shorter(Duration.between(last.at(), now.at()), restarted, up);
    Taken first = restarted ? last : taken.getFirst();
    Scrape lately = scrape.growthSince(first.scrape());
    return new ServiceState(
        now.at(),
        up,
        pool(scrape),
        logins(scrape, grown, over),
        rates("path", "spillway_hashing_total", PATHS, scrape, grown, over),
        Latency.of(
            lately
                .histogram(LOGIN_TIME, Map.of("uri", "/login", "status", "200"))
                .plus(lately.histogram(LOGIN_TIME, Map.of("uri", "/login", "status", "401")))),
        shorter(Duration.between(first.at(), now.at()), restarted, up),
        spill(scrape, grown, over, lately));
  }

  /** With those that a limit kept from a hash as one, whichever limit it was. */
  private static Map<String, Rate> logins(Scrape scrape, Scrape grown, Duration over) {
    String metric = "spillway_login_total";
    Map<String, Rate> logins = rates("outcome", metric, OUTCOMES, scrape, grown, over);
    logins.put(
        "throttled",
        rate(
            throttled(grown.by("outcome", metric, Map.of())),
            throttled(scrape.by("outcome", metric, Map.of())),
            over));
    return logins;
  }

  private static double throttled(Map<String, Double> byOutcome) {
    return byOutcome.entrySet().stream()
        .filter(outcome -> outcome.getKey().startsWith("throttled"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static ServiceState.Pool pool(Scrape scrape) {
    int cost = count(scrape, "spillway_hashing_cost");
    // Measured for cost 10; each step up doubles it.
    double hash = value(scrape, "spillway_pool_hash_estimate_seconds") * Math.pow(2, cost - 10.0);
    return new ServiceState.Pool(
        count(scrape, "spillway_pool_permits_used"),
        count(scrape, "spillway_pool_size"),
        count(scrape, "spillway_pool_threads"),
        count(scrape, "spillway_pool_waiting"),
        seconds(value(scrape, "spillway_hashing_wait_estimate_seconds")),
        seconds(hash),
        cost);
  }

  private static ServiceState.Spill spill(
      Scrape scrape, Scrape grown, Duration over, Scrape lately) {
    List<Target> targets =
        scrape.by("target", "spillway_spill_outstanding", Map.of()).entrySet().stream()
            .map(entry -> target(entry.getKey(), entry.getValue(), scrape, grown, over, lately))
            .toList();
    return new ServiceState.Spill(count(scrape, "spillway_spill_waiting"), targets);
  }

  private static Target target(
      String name, double pending, Scrape scrape, Scrape grown, Duration over, Scrape lately) {
    Map<String, String> labels = Map.of("target", name);
    int bound = (int) scrape.sum("spillway_spill_outstanding_max", labels);
    Target.Condition condition =
        scrape.sum("spillway_spill_misconfigured", labels) > 0
            ? Target.Condition.MISCONFIGURED
            : scrape.sum("spillway_spill_cooling", labels) > 0
                ? Target.Condition.COOLING
                : pending >= bound ? Target.Condition.FULL : Target.Condition.OPEN;
    Map<String, Double> totals = scrape.by("outcome", CALL_TIME + "_count", labels);
    Map<String, Double> growth = grown.by("outcome", CALL_TIME + "_count", labels);
    Map<String, Rate> calls = new LinkedHashMap<>();
    totals.forEach((outcome, total) -> calls.put(outcome, rate(growth.get(outcome), total, over)));
    return new Target(
        name,
        (int) pending,
        bound,
        condition,
        calls,
        Latency.of(lately.histogram(CALL_TIME, Map.of("target", name, "outcome", "computed"))));
  }

  private static Map<String, Rate> rates(
      String label,
      String metric,
      List<String> values,
      Scrape scrape,
      Scrape grown,
      Duration over) {
    Map<String, Rate> rates = new LinkedHashMap<>();
    for (String value : values) {
      Map<String, String> labels = Map.of(label, value);
      rates.put(value, rate(grown.sum(metric, labels), scrape.sum(metric, labels), over));
    }
    return rates;
  }

  private static Rate rate(double grown, double total, Duration over) {
    return new Rate(over.isZero() ? 0 : grown * 1e9 / over.toNanos(), Math.round(total));
  }

  /** A process that started in between has counted for as long as it runs and no longer. */
  private static Duration shorter(Duration between, boolean restarted, Duration up) {
    return restarted && up.compareTo(between) < 0 ? up : between;
  }

  private static int count(Scrape scrape, String name) {
    return (int) value(scrape, name);
  }

  private static double value(Scrape scrape, String name) {
    return scrape.value(name).orElse(0);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private record Taken(Instant at, Scrape scrape) {}
}
