package dev.spillway.benchmarks.service;

import dev.spillway.console.size.LambdaPrice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** One contender under the spike, and then under ever more load until it gives in. */
final class SpikeRun {
  static final String MAX_PER_MINUTE = "most logins a minute, p99 < 1 s";
  static final String GRANTED_IN_SPIKE = "spike: answered 200 a second";
  static final String HEALTH_P99 = "spike: health p99 ms";
  static final String P99 = "spike: login p99 ms";

  private static final double P99_LIMIT_MILLIS = 1000;
  private static final double STEP = 1.3;
  private static final double CHEAP_PER_SECOND = 300;
  private static final Duration SETTLES_WITHIN = Duration.ofSeconds(15);

  private final SpikeContender contender;
  private final SpikeContender.Started started;
  private final Service service;
  private final SpikeUsers users;
  private final SpikeOptions options;

  private SpikeRun(
      SpikeContender contender,
      SpikeContender.Started started,
      SpikeUsers users,
      SpikeOptions options) {
    this.contender = contender;
    this.started = started;
    this.service = started.service();
    this.users = users;
    this.options = options;
  }

  static SpikeResult of(
      SpikeContender contender, SpikeShape shape, SpikeUsers users, SpikeOptions options)
      throws IOException, InterruptedException {
    Progress.say("%s: starting", contender.label());
    try (Site site = new Site();
        SpikeContender.Started started = contender.start(site, options.cost(), users.all())) {
      return new SpikeRun(contender, started, users, options).measure(shape);
    }
  }

  private SpikeResult measure(SpikeShape shape) throws IOException, InterruptedException {
    warmUp(shape);
    List<Attempt> attempts = new ArrayList<>();
    SpikeSamples samples = new SpikeSamples(service, contender.isSpillway());
    Bill before = Bill.of(started, contender);
    Prober prober = Prober.start(service);
    long start = System.nanoTime();
    try (Arrivals<LoadUser> arrivals =
            new Arrivals<>(service.port(), users.measured(), (_, one) -> attempts.add(one));
        var _ = samples.everySecond(contender.label(), shape)) {
      arrivals.run(shape::perSecond, shape.length());
    }
    List<Prober.Probe> probes = prober.stop();
    Map<String, Double> figures = new LinkedHashMap<>();
    List<String> faults = new ArrayList<>();
    tell(shape, start, attempts, probes, samples, figures);
    Bill.of(started, contender).since(before).tell(figures);
    checkUnharmed(attempts, faults);
    if (options.stepping()) {
      figures.put(MAX_PER_MINUTE, 60 * most(figures.get(GRANTED_IN_SPIKE)));
      checkPermits(faults);
    }
    return new SpikeResult(
        contender, samples.course(shape, start, attempts, probes), figures, faults);
  }

  private void warmUp(SpikeShape shape) throws IOException {
    Progress.say("%s: warming up", contender.label());
    try (Arrivals<LoadUser> cheap = new Arrivals<>(service.port(), users.cheap(), (_, _) -> {});
        Arrivals<LoadUser> usual = new Arrivals<>(service.port(), users.measured(), (_, _) -> {})) {
      cheap.run(CHEAP_PER_SECOND, options.warmUp());
      usual.run(shape.baseline(), options.warmUp().dividedBy(2));
    }
  }

  private static void tell(
      SpikeShape shape,
      long start,
      List<Attempt> attempts,
      List<Prober.Probe> probes,
      SpikeSamples samples,
      Map<String, Double> figures) {
    Predicate<Long> inSpike = nanos -> shape.inSpike((nanos - start) / 1e9);
    List<Attempt> due = attempts.stream().filter(one -> inSpike.test(one.startNanos())).toList();
    double seconds = shape.spike().toMillis() / 1e3;
    figures.put("spike: offered a second", due.size() / seconds);
    figures.put(GRANTED_IN_SPIKE, count(due, Attempt::granted) / seconds);
    figures.put("spike: 503 a second", count(due, Attempt::shed) / seconds);
    figures.put(
        "spike: nothing, or else, a second",
        count(due, one -> !one.granted() && !one.shed()) / seconds);
    Latencies logins = Latencies.of(due.stream().filter(one -> !one.shed()).toList());
    figures.put("spike: login p50 ms", logins.millis(0.5));
    figures.put(P99, logins.millis(0.99));
    Window window =
        new Window(
            start + shape.before().toNanos(), start + shape.before().plus(shape.spike()).toNanos());
    Latencies health = Latencies.of(probes, Service.HEALTH, window);
    figures.put("spike: health p50 ms", health.millis(0.5));
    figures.put(HEALTH_P99, health.millis(0.99));
    figures.put("spike: keys p99 ms", Latencies.of(probes, Service.JWKS, window).millis(0.99));
    samples.tell(window, figures);
    long spikeOver = window.toNanos();
    figures.put(
        "s after the spike until the last of it had ended",
        due.stream()
            .mapToDouble(one -> Math.max(0, (one.endNanos() - spikeOver) / 1e9))
            .max()
            .orElse(0));
  }

  private static long count(List<Attempt> attempts, Predicate<Attempt> what) {
    return attempts.stream().filter(what).count();
  }

  /** Raises the load until it is too much; the rate before that. */
  private double most(double granted) throws IOException, InterruptedException {
    double held = 0;
    double rate = Math.max(1, 0.5 * granted);
    for (int step = 0; step < options.steps(); step++, rate *= STEP) {
      settle();
      List<Attempt> attempts = new ArrayList<>();
      try (Arrivals<LoadUser> arrivals =
          new Arrivals<>(service.port(), users.measured(), (_, one) -> attempts.add(one))) {
        arrivals.run(rate, options.stepLength());
      }
      double p99 = Latencies.of(attempts).millis(0.99);
      boolean all = attempts.stream().allMatch(Attempt::granted);
      Progress.say(
          "%s: %.0f logins/s: p99 %.0f ms%s",
          contender.label(), rate, p99, all ? "" : ", not all answered 200");
      if (!all || p99 >= P99_LIMIT_MILLIS) {
        break;
      }
      held = rate;
    }
    return held;
  }

  /** What came before has ended, also where nobody waits for it any more. */
  private void settle() throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + SETTLES_WITHIN.toNanos();
    Usage last = Usage.of(service);
    while (System.nanoTime() < giveUp) {
      Thread.sleep(200);
      Usage now = Usage.of(service);
      Usage used = now.since(last);
      if (used.cores(used.service()) < 0.3) {
        return;
      }
      last = now;
    }
  }

  private void checkUnharmed(List<Attempt> attempts, List<String> faults)
      throws IOException, InterruptedException {
    if (!contender.isSpillway()) {
      return;
    }
    long strange = count(attempts, one -> !one.granted() && !one.shed());
    if (strange > 0) {
      faults.add(
          strange
              + " answers other than 200 and 503: "
              + attempts.stream()
                  .filter(one -> !one.granted() && !one.shed())
                  .map(one -> one.status() == Attempt.NO_ANSWER ? "none" : "" + one.status())
                  .distinct()
                  .toList());
    }
    checkPermits(faults);
  }

  private void checkPermits(List<String> faults) throws IOException, InterruptedException {
    if (!contender.isSpillway()) {
      return;
    }
    for (String gauge :
        List.of(
            "spillway_pool_permits_used", "spillway_pool_waiting", "spillway_spill_outstanding{")) {
      long giveUp = System.nanoTime() + SETTLES_WITHIN.toNanos();
      double left;
      do {
        left = service.metric(gauge, "");
        Thread.sleep(50);
      } while (left != 0 && System.nanoTime() < giveUp);
      if (left != 0) {
        faults.add(gauge + " is " + left + " when all is over");
      }
    }
  }

  /** What spilling has cost so far, or would on AWS. */
  private record Bill(double spilled, double seconds) {
    static Bill of(SpikeContender.Started started, SpikeContender contender)
        throws IOException, InterruptedException {
      if (started.function() != null) {
        return new Bill(started.function().calls(), started.function().billedMillis() / 1e3);
      }
      return contender.isSpillway()
          ? new Bill(
              started.service().metric("spillway_spill_call_seconds_count", "computed"),
              started.service().metric("spillway_spill_call_seconds_sum", "computed"))
          : new Bill(0, 0);
    }

    Bill since(Bill earlier) {
      return new Bill(spilled - earlier.spilled, seconds - earlier.seconds);
    }

    void tell(Map<String, Double> figures) {
      if (spilled > 0) {
        Duration each = Duration.ofNanos(Math.round(1e9 * seconds / spilled));
        figures.put("calls of the function", spilled);
        figures.put("dollars for a million of them", 1e6 * LambdaPrice.ARM64.perLogin(each));
      }
    }
  }
}
