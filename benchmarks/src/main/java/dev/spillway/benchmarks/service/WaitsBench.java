package dev.spillway.benchmarks.service;

import dev.spillway.core.lanes.LaneChoice;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Whether refusing known waits spares those who spill the wait. */
final class WaitsBench implements Bench {
  private static final int OVERLOAD = 3;
  private static final int USERS = 300;
  private static final int MAX_OUTSTANDING = 300;
  private static final Duration FUNCTION_TAKES = Duration.ofMillis(250);

  @Override
  public String about() {
    return """
    Three times the logins that the pool can hash, arriving evenly; the rest spills to a function
    that answers after 250 ms and uses no CPU here. Latency of logins by where they were hashed,
    with spillway.pool.refuse-known-waits on and off. A round starts both afresh and gives each two
    turns: on, off, off, on.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(10, 3, Duration.ofSeconds(15));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Progress.say("choosing lanes, hashing %d passwords", USERS);
    int lanes = LaneChoice.measured().lanes();
    List<LoadUser> users = LoadUser.make(USERS, options.cost());
    try (RemoteFunction function =
        new RemoteFunction(
            FUNCTION_TAKES,
            users.stream().collect(Collectors.toMap(LoadUser::setting, u -> u.hash().digest())))) {
      for (int round = 1; round <= options.rounds(); round++) {
        Progress.say("round %d of %d: starting", round, options.rounds());
        try (Site site = new Site();
            Service on = start(site, "on", true, lanes, function, users, options);
            Service off = start(site, "off", false, lanes, function, users, options)) {
          Logins logins = new Logins(users, function);
          double capacity = Math.max(capacity(on, logins, options), capacity(off, logins, options));
          double offered = OVERLOAD * capacity;
          report.add("offered", "per second", offered);
          for (Service service : List.of(on, off, off, on)) {
            measure(service, logins, offered, options, report);
          }
        }
      }
    }
    report.note(
        "on, off: spillway.pool.refuse-known-waits; latencies in ms of logins answered 200;"
            + " the function takes %d ms",
        FUNCTION_TAKES.toMillis());
    report.note(
        "spilled is a login for whose user, who logs in once at a time, the function answered"
            + " meanwhile; by metrics: what the service itself counts as spilled");
    report.note(
        "offered: %d times what the pool answered in a closed loop; %d lanes", OVERLOAD, lanes);
  }

  private static Service start(
      Site site,
      String name,
      boolean refuse,
      int lanes,
      RemoteFunction function,
      List<LoadUser> users,
      Options options)
      throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>(Launch.spillTo(function.port(), MAX_OUTSTANDING));
    settings.put("pool.lanes", Integer.toString(lanes));
    settings.put("pool.refuse-known-waits", Boolean.toString(refuse));
    Service service = Launch.spillway(site, name, options.cost(), settings);
    String report =
        service.importUsers(
            service.token("admin", Launch.ADMIN_PASSWORD), LoadUser.importLines(users));
    if (!report.contains("\"imported\":" + users.size())) {
      throw new IOException("not all users were imported: " + report);
    }
    return service;
  }

  /** As many clients as there are permits, so that hardly any login spills. */
  private static double capacity(Service service, Logins logins, Options options)
      throws IOException, InterruptedException {
    int clients = (int) service.metric("spillway_pool_size", "");
    try (Load<Login> load = Load.closedLoop(clients, () -> logins.next(service))) {
      load.run(Duration.ofSeconds(options.quick() ? 2 : 4));
      long start = System.nanoTime();
      load.run(options.sample().dividedBy(2));
      Window window = new Window(start, System.nanoTime());
      load.close();
      double perSecond =
          load.results().stream()
                  .filter(one -> !one.spilled && window.holds(one.attempt.endNanos()))
                  .count()
              / window.seconds();
      Progress.say("%s: the pool answers %.1f logins/s", service.name(), perSecond);
      return perSecond;
    }
  }

  private static void measure(
      Service service, Logins logins, double perSecond, Options options, Report report)
      throws IOException, InterruptedException {
    Progress.say("%s: %.0f logins/s", service.name(), perSecond);
    int skipped = logins.skipped.get();
    try (Load<Login> load = Load.openLoop(perSecond, () -> logins.next(service))) {
      load.run(Duration.ofSeconds(options.quick() ? 1 : 3));
      Usage before = Usage.of(service);
      double counted = service.metric("spillway_hashing_total", "spilled");
      load.run(options.sample());
      counted = service.metric("spillway_hashing_total", "spilled") - counted;
      Usage after = Usage.of(service);
      load.close();
      Window window = new Window(before.atNanos(), after.atNanos());
      List<Login> ended =
          load.results().stream().filter(one -> window.holds(one.attempt.endNanos())).toList();
      List<Attempt> spilled = granted(ended, true);
      List<Attempt> local = granted(ended, false);
      tell(service.name() + ", spilled", spilled, window, report);
      tell(service.name() + ", hashed here", local, window, report);
      String all = service.name() + ", all";
      Usage used = after.since(before);
      tell(
          all,
          ended.stream().map(Login::attempt).filter(Attempt::granted).toList(),
          window,
          report);
      report.add(all, "not 200", ended.size() - spilled.size() - local.size());
      report.add(all, "skipped", logins.skipped.get() - skipped);
      report.add(service.name() + ", spilled", "by metrics", counted / window.seconds());
      report.add(all, "cores hashing", used.cores(used.hashing()));
      report.add(all, "load", used.cores(used.load()));
    }
  }

  private static List<Attempt> granted(List<Login> logins, boolean spilled) {
    return logins.stream()
        .filter(one -> one.spilled == spilled)
        .map(Login::attempt)
        .filter(Attempt::granted)
        .toList();
  }

  private static void tell(String row, List<Attempt> attempts, Window window, Report report) {
    Latencies latencies = Latencies.of(attempts);
    report.add(row, "per second", attempts.size() / window.seconds());
    report.add(row, "p50", latencies.millis(0.5));
    report.add(row, "p90", latencies.millis(0.9));
    report.add(row, "p99", latencies.millis(0.99));
  }

  /** One login, and whether the function had a part in it. */
  private record Login(Attempt attempt, boolean spilled) {}

  /** Logs users in, each of them once at a time. */
  private static final class Logins {
    private final BlockingQueue<LoadUser> free;
    private final RemoteFunction function;
    private final AtomicInteger skipped = new AtomicInteger();

    Logins(List<LoadUser> users, RemoteFunction function) {
      this.free = new LinkedBlockingQueue<>(users);
      this.function = function;
    }

    /** Null if every user is busy logging in. */
    Login next(Service service) {
      LoadUser user = free.poll();
      if (user == null) {
        skipped.incrementAndGet();
        return null;
      }
      int before = function.answers(user.setting()).count();
      Attempt attempt = service.login(user.login(), LoadUser.PASSWORD);
      boolean spilled = function.answers(user.setting()).count() > before;
      free.add(user);
      return new Login(attempt, spilled);
    }
  }
}
