package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Many logins at one moment, and what health checks and other services notice of it. */
final class BurstBench implements Bench {
  private static final int BURST = 200;
  private static final int WARM_UP = 12;
  private static final Duration COLD_START = Duration.ofSeconds(60);
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration AFTERWARDS = Duration.ofSeconds(10);
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @Override
  public String about() {
    return """
    200 logins at once: against a service that hashes on its request threads (naive), against
    Spillway with its pool alone, and against Spillway that spills to a function. The function runs
    on this machine too, so it shows what spilling does to the service, not what it gains.
    Meanwhile this process asks for /q/health/live and the JWKS over a new connection every 10 ms.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(12, 3, Duration.ZERO);
  }

  @Override
  public Duration quickSample() {
    return Duration.ZERO;
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      List<Contender> order = List.of(Contender.values());
      for (Contender contender : round % 2 == 1 ? order : order.reversed()) {
        measure(contender, options, report);
      }
    }
    report.note("latencies in ms; health and JWKS while the burst lasted");
    report.note(
        "spill: the function's %d process(es) share this machine's CPU%s",
        CORES, Site.CAN_STEP_ASIDE ? ", under SCHED_BATCH as hash threads" : "");
    report.note("the load and the probes come from one process on this machine");
  }

  private static void measure(Contender contender, Options options, Report report)
      throws IOException, InterruptedException {
    Progress.say("%s: starting", contender.label);
    try (Site site = new Site();
        Service service = contender.start(site, options.cost())) {
      warmUp(contender, service);
      double local = contender.hashed(service, "local");
      double spilled = contender.hashed(service, "spilled");
      Progress.say("%s: %d logins at once", contender.label, BURST);
      Prober prober = Prober.start(service);
      Thread.sleep(BEFORE);
      long start = System.nanoTime();
      List<Attempt> attempts = Load.burst(BURST, service::login);
      long end = attempts.stream().mapToLong(Attempt::endNanos).max().orElseThrow();
      List<Prober.Probe> probes = prober.stop();
      note(contender.label, attempts, probes, new Window(start, end), report);
      if (contender != Contender.NAIVE) {
        report.add(contender.label, "hashed here", contender.hashed(service, "local") - local);
        report.add(contender.label, "spilled", contender.hashed(service, "spilled") - spilled);
        report.add(contender.label, "permits used after", permitsUsed(service));
      }
    }
  }

  private static void note(
      String row, List<Attempt> attempts, List<Prober.Probe> probes, Window window, Report report) {
    List<Attempt> granted = attempts.stream().filter(Attempt::granted).toList();
    List<Attempt> shed = attempts.stream().filter(Attempt::shed).toList();
    report.add(row, "200", granted.size());
    report.add(row, "503", shed.size());
    report.add(row, "other", BURST - granted.size() - shed.size());
    report.add(row, "last answer s", window.seconds());
    Latencies logins = Latencies.of(granted);
    report.add(row, "200 p50", logins.millis(0.5));
    report.add(row, "200 p99", logins.millis(0.99));
    Latencies all = Latencies.of(attempts);
    report.add(row, "all p50", all.millis(0.5));
    report.add(row, "all p99", all.millis(0.99));
    Latencies health = Latencies.of(probes, Service.HEALTH, window);
    report.add(row, "health p50", health.millis(0.5));
    report.add(row, "health p99", health.millis(0.99));
    report.add(row, "health max", health.millis(1));
    report.add(row, "jwks p99", Latencies.of(probes, Service.JWKS, window).millis(0.99));
    report.add(
        row,
        "probes failed",
        probes.stream().filter(p -> window.holds(p.atNanos()) && p.status() != 200).count());
  }

  /** Compiled code, open connections; with a function, one that has had its cold start. */
  private static void warmUp(Contender contender, Service service)
      throws IOException, InterruptedException {
    Progress.say("%s: warming up", contender.label);
    for (int i = 0; i < WARM_UP; i++) {
      var _ = service.login();
    }
    long giveUp = System.nanoTime() + COLD_START.toNanos();
    do {
      var _ = Load.burst(WARM_UP, service::login);
    } while (contender == Contender.SPILL
        && contender.hashed(service, "spilled") == 0
        && System.nanoTime() < giveUp);
    var _ = Load.burst(WARM_UP, service::login);
  }

  /** Once it is 0, or in the end. */
  private static double permitsUsed(Service service) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + AFTERWARDS.toNanos();
    double used;
    do {
      used = service.metric("spillway_pool_permits_used", "");
      Thread.sleep(100);
    } while (used != 0 && System.nanoTime() < giveUp);
    return used;
  }

  private enum Contender {
    NAIVE("naive"),
    POOL("spillway, pool only"),
    SPILL("spillway, spilling");

    private final String label;

    Contender(String label) {
      this.label = label;
    }

    Service start(Site site, int cost) throws IOException, InterruptedException {
      return switch (this) {
        case NAIVE -> Launch.naive(site, "naive", cost, List.of());
        case POOL -> Launch.spillway(site, "pool", cost, Map.of());
        case SPILL -> {
          int port = Launch.localLambda(site, CORES);
          yield Launch.spillway(site, "spill", cost, Launch.spillTo(port, CORES));
        }
      };
    }

    double hashed(Service service, String path) throws IOException, InterruptedException {
      return this == NAIVE ? 0 : service.metric("spillway_hashing_total", path);
    }
  }
}
