package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One contender, from its start: what it takes when clients wait for their answers, then the search
 * for the most it takes of clients that don't, then the spike. The spike is last, for nobody has to
 * wait for what it leaves behind.
 */
final class SpikeRun implements AutoCloseable {
  static final String MAX_PER_MINUTE = "most logins a minute, p99 < 1 s";
  static final String TOO_MUCH_PER_MINUTE = "too many logins a minute";
  static final String GRANTED_IN_SPIKE = "spike: answered 200 a second";
  static final String HEALTH_P99 = "spike: health p99 ms";
  static final String P99 = "spike: login p99 ms";

  /** Of what it takes when clients wait, where the search begins. */
  private static final double FIRST_STEP = 0.8;

  /** Enough for every permit to be taken and a few to be waited for. */
  private static final int CLIENTS = 8 * Runtime.getRuntime().availableProcessors();

  /** After the spike its last logins may be under way for so long; likewise. */
  private static final Duration TAIL = Duration.ofSeconds(3);

  private static final Duration PERMITS_BACK_WITHIN = Duration.ofSeconds(15);

  private final SpikeContender contender;
  private final Site site;
  private final SpikeContender.Started started;
  private final Service service;
  private final SpikeUsers users;
  private final SpikeOptions options;
  private double closedLoopPerSecond;

  private SpikeRun(
      SpikeContender contender,
      Site site,
      SpikeContender.Started started,
      SpikeUsers users,
      SpikeOptions options) {
    this.contender = contender;
    this.site = site;
    this.started = started;
    this.service = started.service();
    this.users = users;
    this.options = options;
  }

  /** The least that a contender takes from the budget. */
  static Duration atLeast(SpikeContender contender, SpikeOptions options) {
    return contender
        .startsWithin()
        .plus(contender.warmUp(options.length().warmUp()))
        .plus(options.length().warmUp())
        .plus(options.shape(1).length())
        .plus(TAIL);
  }

  /** Started and warm. */
  @SuppressWarnings("MustBeClosedChecker") // it is closed with what is returned
  static SpikeRun start(SpikeContender contender, SpikeUsers users, SpikeOptions options)
      throws IOException, InterruptedException {
    Progress.say("%s: starting", contender.label());
    Site site = new Site();
    try {
      SpikeRun run =
          new SpikeRun(
              contender, site, contender.start(site, options.cost(), users), users, options);
      run.warmUp();
      return run;
    } catch (IOException | InterruptedException | RuntimeException e) {
      site.close();
      throw e;
    }
  }

  /** What it answers to as many clients as there can be at work, each waiting for its answer. */
  double closedLoopPerSecond() {
    return closedLoopPerSecond;
  }

  SpikeResult measure(SpikeShape shape, SpikeBudget.Share share)
      throws IOException, InterruptedException {
    Map<String, Double> most = new LinkedHashMap<>();
    Optional<SearchEnd> search = Optional.empty();
    if (options.stepping()) {
      Stepping stepping =
          new Stepping(
              FIRST_STEP * closedLoopPerSecond, contender.stride(), options.length().precision());
      SearchEnd end =
          SpikeSearch.run(
              stepping,
              contender.label(),
              service,
              users.measured(),
              options.length().step(),
              share,
              shape.length().plus(TAIL));
      // Nothing is said of what was not found: what held until the time was over says how long that
      // was, and one failure may be a bad moment of the machine.
      boolean found = end == SearchEnd.FOUND;
      most.put(MAX_PER_MINUTE, found ? 60 * stepping.held() : Double.NaN);
      most.put(TOO_MUCH_PER_MINUTE, found ? 60 * stepping.tooMuch() : Double.NaN);
      search = Optional.of(end);
    }
    SpikeResult result = spike(shape, search);
    result.figures().putAll(most);
    return result;
  }

  private SpikeResult spike(SpikeShape shape, Optional<SearchEnd> search)
      throws IOException, InterruptedException {
    started.cool();
    List<Attempt> attempts = new ArrayList<>();
    SpikeSamples samples = new SpikeSamples(service, contender.isSpillway());
    SpikeBill before = SpikeBill.of(started, contender);
    Prober prober = Prober.start(service);
    long start = System.nanoTime();
    try (Arrivals<LoadUser> arrivals =
            new Arrivals<>(service, users.measured(), (_, one) -> attempts.add(one));
        var _ = samples.everySecond(contender.label(), shape)) {
      arrivals.run(shape::perSecond, shape.length());
    }
    List<Prober.Probe> probes = prober.stop();
    Map<String, Double> figures = new LinkedHashMap<>();
    List<String> faults = new ArrayList<>();
    tell(shape, start, attempts, probes, samples, figures);
    SpikeBill.of(started, contender).since(before).tell(figures);
    checkUnharmed(attempts, faults);
    return new SpikeResult(
        contender, samples.course(shape, start, attempts, probes), figures, search, faults);
  }

  private void warmUp() throws IOException, InterruptedException {
    Progress.say("%s: warming up", contender.label());
    try (Arrivals<LoadUser> cheap = new Arrivals<>(service, users.cheap(), (_, _) -> {})) {
      cheap.run(contender.warmUpPerSecond(), contender.warmUp(options.length().warmUp()));
    }
    Iterator<LoadUser> turns = Stream.generate(users.measured()::stream).flatMap(s -> s).iterator();
    Supplier<Attempt> login =
        () -> {
          LoadUser user;
          synchronized (turns) {
            user = turns.next();
          }
          return service.login(user);
        };
    try (Load<Attempt> load = Load.closedLoop(CLIENTS, login)) {
      load.run(options.length().warmUp().dividedBy(3));
      long from = System.nanoTime();
      load.run(options.length().warmUp().dividedBy(3));
      Window window = new Window(from, System.nanoTime());
      load.close();
      closedLoopPerSecond = Math.max(1, granted(load.results(), window) / window.seconds());
    }
    Progress.say("%s: %.1f logins/s to clients that wait", contender.label(), closedLoopPerSecond);
    SpikeSearch.settle(service);
  }

  private static long granted(List<Attempt> attempts, Window window) {
    return attempts.stream().filter(one -> one.granted() && window.holds(one.endNanos())).count();
  }

  private void tell(
      SpikeShape shape,
      long start,
      List<Attempt> attempts,
      List<Prober.Probe> probes,
      SpikeSamples samples,
      Map<String, Double> figures) {
    Predicate<Long> inSpike = nanos -> shape.inSpike((nanos - start) / 1e9);
    List<Attempt> due = attempts.stream().filter(one -> inSpike.test(one.startNanos())).toList();
    double seconds = shape.parts().spike().toMillis() / 1e3;
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
            start + shape.parts().before().toNanos(),
            start + shape.parts().before().plus(shape.parts().spike()).toNanos());
    Latencies health = Latencies.of(probes, service.api().health(), window);
    figures.put("spike: health p50 ms", health.millis(0.5));
    figures.put(HEALTH_P99, health.millis(0.99));
    figures.put(
        "spike: keys p99 ms", Latencies.of(probes, service.api().keys(), window).millis(0.99));
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
      long giveUp = System.nanoTime() + PERMITS_BACK_WITHIN.toNanos();
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

  @Override
  public void close() throws IOException {
    try (site) {
      started.close();
    }
  }
}
