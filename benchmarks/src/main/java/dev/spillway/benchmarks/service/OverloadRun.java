package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.overload.Outcome;
import dev.spillway.benchmarks.overload.Pace;
import dev.spillway.benchmarks.overload.Plan;
import dev.spillway.benchmarks.overload.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One contender: its processes, one after another, and the load on them. */
final class OverloadRun implements AutoCloseable {
  static final String CURVE = "curve";
  static final String WARM = "warm";
  static final String YOUNG = "young";

  private static final int USER_NETWORKS = 200;

  /** Longer than the deadline of a login. */
  private static final Duration BURST_WATCHED = Duration.ofSeconds(8);

  private static final Duration LOAD_WARM_UP = Duration.ofSeconds(3);
  private static final double CHEAP_PER_SECOND = 300;
  private static final double REFUSED_PER_SECOND = 700;

  private final OverloadContender contender;
  private final OverloadOptions options;
  private final Site site = new Site();
  private final SpikeUsers users;
  private final Optional<RemoteFunction> function;
  private final LoadProcess load;
  private Optional<Service> service = Optional.empty();
  private String age = YOUNG;
  private int neighbours;

  OverloadRun(OverloadContender contender, SpikeUsers users, OverloadOptions options)
      throws IOException {
    this.contender = contender;
    this.users = users;
    this.options = options;
    this.function = contender.function(options.cost(), users.all());
    this.load = LoadProcess.start(site, options.loadPrefix());
  }

  /** With its users and its lanes, and everything a login or its refusal needs compiled. */
  void startWarm() throws IOException, InterruptedException {
    start(true);
    importUsers();
    Progress.say("%s: warming up", contender.label());
    Duration half = options.warmUp().dividedBy(2);
    run(plan(Duration.ZERO, half, users.cheap(), new Pace.Open(CHEAP_PER_SECOND)));
    if (contender.isSpillway()) {
      run(plan(Duration.ZERO, half, users.measured(), new Pace.Open(REFUSED_PER_SECOND)));
    }
    SpikeSearch.settle(service());
    age = WARM;
  }

  /** At the moment when it says it is ready; where its users survive a start, they are there. */
  void startYoung() throws IOException, InterruptedException {
    start(false);
    age = YOUNG;
  }

  /** For the starts that follow; the load is compiled then, too. */
  void prepare() throws IOException, InterruptedException {
    start(true);
    importUsers();
    run(plan(Duration.ZERO, LOAD_WARM_UP, users.cheap(), new Pace.Open(CHEAP_PER_SECOND)));
  }

  private void start(boolean settled) throws IOException, InterruptedException {
    stop();
    Progress.say("%s: starting", contender.label());
    service =
        Optional.of(
            contender.start(
                site, options.cost(), users.all(), function, options.settings(), settled));
  }

  private void importUsers() throws IOException, InterruptedException {
    if (contender.isSpillway()) {
      String report =
          service()
              .importUsers(
                  service().token("admin", Launch.ADMIN_PASSWORD),
                  LoadUser.importLines(users.all()));
      if (!report.contains("\"imported\":" + users.all().size())) {
        throw new IOException("not all users were imported: " + report);
      }
    }
  }

  private void stop() {
    service.ifPresent(Service::close);
    service = Optional.empty();
  }

  private Service service() {
    return service.orElseThrow();
  }

  /** What it answers to clients that wait, twice as many as it has permits; the best of two. */
  double peak() throws IOException, InterruptedException {
    int clients = 2 * (int) service().metric("spillway_pool_size", "");
    double peak = 0;
    for (int i = 0; i < 2; i++) {
      Outcome outcome =
          run(plan(options.ramp(), options.step(), users.measured(), new Pace.Closed(clients)));
      peak = Math.max(peak, outcome.users().perSecond(200, outcome.windowSeconds()));
    }
    Progress.say("%s: %.1f logins/s to %d clients that wait", contender.label(), peak, clients);
    return peak;
  }

  void neighbours(int count) {
    neighbours = count;
  }

  OverloadStep step(double times, double peak) throws IOException, InterruptedException {
    Traffic traffic =
        new Traffic("users", new Pace.Open(times * peak), options.networks(), true, 0);
    boolean young = age.equals(YOUNG);
    return step(
        CURVE,
        times,
        plan(
            young ? Duration.ZERO : options.ramp(),
            young ? options.youth() : options.step(),
            users.measured(),
            List.of(traffic)));
  }

  /**
   * Users of many networks at half the peak, beside one network that floods.
   *
   * @param flood its name says what it does
   */
  OverloadStep flooded(double times, double peak, Traffic flood)
      throws IOException, InterruptedException {
    Traffic fair = new Traffic("users", new Pace.Open(0.5 * peak), USER_NETWORKS, true, 0);
    return step(
        flood.name(),
        times,
        plan(options.ramp(), options.step(), users.measured(), List.of(fair, flood)));
  }

  /** So many logins at once, at the moment when it says it is ready. */
  OverloadStep burst(int logins) throws IOException, InterruptedException {
    Traffic traffic = new Traffic("users", new Pace.AtOnce(logins), 0, true, 0);
    return step(
        "burst of " + logins,
        Double.NaN,
        plan(Duration.ZERO, BURST_WATCHED, users.measured(), List.of(traffic)));
  }

  /** Until about so many have been refused; with the heap before and after. */
  OverloadStep refusals(int count, double times, double peak)
      throws IOException, InterruptedException {
    double before = Heap.megabytes(service());
    Duration window = Duration.ofMillis(Math.round(1000 * count / (times * peak)));
    Traffic traffic =
        new Traffic("users", new Pace.Open(times * peak), options.networks(), true, 0);
    OverloadStep step =
        step("refusals", times, plan(Duration.ZERO, window, users.measured(), List.of(traffic)));
    double after = Heap.megabytes(service());
    Progress.say("%s: heap %.1f MB before, %.1f MB after", contender.label(), before, after);
    return step.with(new OverloadStep.HeapUsed(before, after));
  }

  private OverloadStep step(String what, double times, Plan plan)
      throws IOException, InterruptedException {
    OverloadStep step;
    try (Neighbours _ = Neighbours.start(site, neighbours)) {
      Prober prober = Prober.start(service());
      LoadProcess.Ran<Usage[]> ran =
          load.run(
              plan,
              () -> {
                Thread.sleep(Duration.ofNanos(plan.rampNanos()));
                Usage before = Usage.of(service());
                Thread.sleep(Duration.ofNanos(plan.windowNanos()));
                return new Usage[] {before, Usage.of(service())};
              });
      Usage before = ran.beside()[0];
      Usage after = ran.beside()[1];
      step =
          new OverloadStep(
              contender,
              what,
              age,
              neighbours,
              times,
              ran.outcome(),
              prober.stop(),
              new Window(before.atNanos(), after.atNanos()),
              after.since(before),
              Optional.empty());
    }
    Progress.say("%s", OverloadReport.line(step));
    SpikeSearch.settle(service());
    return step;
  }

  private Outcome run(Plan plan) throws IOException, InterruptedException {
    return load.run(plan);
  }

  private Plan plan(Duration ramp, Duration window, List<LoadUser> who, Pace pace) {
    return plan(ramp, window, who, List.of(Traffic.users(pace)));
  }

  private Plan plan(Duration ramp, Duration window, List<LoadUser> who, List<Traffic> traffic) {
    return new Plan(
        service().port(),
        ramp.toNanos(),
        window.toNanos(),
        traffic,
        who.stream().map(LoadUser::login).toList(),
        LoadUser.PASSWORD);
  }

  @Override
  public void close() throws IOException {
    try (site) {
      stop();
      if (function.isPresent()) {
        function.get().close();
      }
    }
  }
}
