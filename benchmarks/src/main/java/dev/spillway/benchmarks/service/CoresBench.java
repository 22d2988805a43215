package dev.spillway.benchmarks.service;

import dev.spillway.core.lanes.LaneChoice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What hashing on every core costs everyone else, by how the scheduler weighs hash threads. */
final class CoresBench implements Bench {
  private static final int OVERLOAD = 10;
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** Longer than the deadline: by then as many leave the line as join it. */
  private static final Duration RAMP = Duration.ofSeconds(6);

  private static final Duration WARM_UP = Duration.ofSeconds(15);

  @Override
  public String about() {
    return """
    Ten times the logins that this machine can hash, arriving evenly, no spill: most are answered
    503. How much hashing gets done, and how /q/health/live and the JWKS fare (new connections, from
    this process), with one core left free, and with a hash thread on every core under each
    priority. A round starts all of them and gives each two turns, there and back; a quick one goes there only.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(12, 2, Duration.ofSeconds(15));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(3);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Duration ramp = options.quick() ? Duration.ofSeconds(2) : RAMP;
    Progress.say("choosing lanes");
    int lanes = LaneChoice.measured().lanes();
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      try (Site site = new Site()) {
        Map<Setting, Service> services = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
          Progress.say("starting %s", setting.label());
          services.put(setting, setting.start(site, options.cost(), lanes));
        }
        double capacity = 0;
        for (Service service : services.values()) {
          capacity = Math.max(capacity, capacity(service, ramp));
        }
        report.add("offered", "logins/s", OVERLOAD * capacity);
        if (!options.quick()) {
          for (Service service : services.values()) {
            warmUp(service, OVERLOAD * capacity);
          }
        }
        List<Setting> turns = new ArrayList<>(List.of(Setting.values()));
        if (!options.quick()) {
          turns.addAll(turns.reversed());
        }
        for (Setting setting : turns) {
          measure(setting, services.get(setting), OVERLOAD * capacity, ramp, options, report);
        }
        services.values().forEach(Service::close);
      }
    }
    report.note(
        "hashing, service, load: cores busy with hashing, the rest of the service, the load");
    report.note("health and JWKS in ms; %d lanes in each hash thread, chosen once for all", lanes);
    report.note("offered: %d times what the best of them answered in a closed loop", OVERLOAD);
  }

  /** What sheds is compiled only once much has been shed. */
  private static void warmUp(Service service, double perSecond) throws InterruptedException {
    Progress.say("%s: warming up", service.name());
    try (Load<Attempt> load = Load.openLoop(perSecond, service::login)) {
      load.run(WARM_UP);
    }
  }

  /** Warms up as well. */
  private static double capacity(Service service, Duration length)
      throws IOException, InterruptedException {
    int clients = 2 * (int) service.metric("spillway_pool_size", "");
    try (Load<Attempt> load = Load.closedLoop(clients, service::login)) {
      load.run(length);
      long start = System.nanoTime();
      load.run(length);
      Window window = new Window(start, System.nanoTime());
      load.close();
      double perSecond =
          load.results().stream()
                  .filter(one -> one.granted() && window.holds(one.endNanos()))
                  .count()
              / window.seconds();
      Progress.say("%s: %.1f logins/s in a closed loop", service.name(), perSecond);
      return perSecond;
    }
  }

  private static void measure(
      Setting setting,
      Service service,
      double perSecond,
      Duration ramp,
      Options options,
      Report report)
      throws IOException, InterruptedException {
    Progress.say("%s: %.0f logins/s", setting.label(), perSecond);
    try (Load<Attempt> load = Load.openLoop(perSecond, service::login)) {
      load.run(ramp);
      Prober prober = Prober.start(service);
      Usage before = Usage.of(service);
      load.run(options.sample());
      Usage after = Usage.of(service);
      List<Prober.Probe> probes = prober.stop();
      load.close();
      Window window = new Window(before.atNanos(), after.atNanos());
      List<Attempt> ended =
          load.results().stream().filter(one -> window.holds(one.endNanos())).toList();
      Usage used = after.since(before);
      double hashing = used.cores(used.hashing());
      String row = setting.label();
      report.add(row, "hashing", hashing);
      double granted = ended.stream().filter(Attempt::granted).count();
      report.add(row, "logins/s", granted / window.seconds());
      double shed = ended.stream().filter(Attempt::shed).count();
      report.add(row, "503/s", shed / window.seconds());
      report.add(row, "other", ended.size() - granted - shed);
      report.add(row, "service", used.cores(used.service()) - hashing);
      report.add(row, "load", used.cores(used.load()));
      Latencies health = Latencies.of(probes, Service.HEALTH, window);
      report.add(row, "health p50", health.millis(0.5));
      report.add(row, "health p99", health.millis(0.99));
      Latencies jwks = Latencies.of(probes, Service.JWKS, window);
      report.add(row, "jwks p50", jwks.millis(0.5));
      report.add(row, "jwks p99", jwks.millis(0.99));
      report.add(
          row,
          "probes failed",
          probes.stream().filter(p -> window.holds(p.atNanos()) && p.status() != 200).count());
    }
  }

  private enum Setting {
    ONE_CORE_FREE(Math.max(1, CORES - 1), "normal"),
    NORMAL(CORES, "normal"),
    LOWERED(CORES, "lowered");

    private final int threads;
    private final String priority;

    Setting(int threads, String priority) {
      this.threads = threads;
      this.priority = priority;
    }

    String label() {
      return threads + " threads, " + priority;
    }

    Service start(Site site, int cost, int lanes) throws IOException, InterruptedException {
      return Launch.spillway(
          site,
          name().toLowerCase(Locale.ROOT),
          cost,
          Map.of(
              "pool.threads", Integer.toString(threads),
              "pool.lanes", Integer.toString(lanes),
              "pool.priority", priority));
    }
  }
}
