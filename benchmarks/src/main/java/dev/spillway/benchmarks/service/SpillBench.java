package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a spill adds to the function's own time, and how many logins a second can spill. */
final class SpillBench implements Bench {
  private static final int HASHES = 300;

  /** Logins of one hash: hashing takes too long for as many users as one login each would need. */
  private static final int ALIASES = 10;

  private static final int MAX_OUTSTANDING = 5000;
  private static final Duration FUNCTION_TAKES = Duration.ofMillis(250);
  private static final int QUIET = 100;
  private static final int STEP = 250;
  private static final int FIRST = 1000;
  private static final double P99_LIMIT_MILLIS = 1000;
  private static final int WARM_UP_PER_SECOND = 800;
  private static final Duration WARM_UP_TURN = Duration.ofSeconds(30);
  private static final int WARM_UP_TURNS = 12;
  private static final int STEADY_TURNS = 2;
  private static final double STEADY = 0.95;

  @Override
  public String about() {
    return """
    Nearly every login spills: the pool has one permit and is full. The function takes 250 ms and
    knows its answers, so that it costs little here, as one far away. Logins arrive at random
    moments. First few of them (100 a second): what a login takes beyond the function's own time.
    Then ever more of them, from 1,000 a second, until the p99 exceeds 1 s or an answer is not 200.
    Last the money: the function takes what the real one takes for as many digests as a call carries
    (CPU time under local-lambda), and 20 to 2,000 logins a second spill.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(10, 1, Duration.ofSeconds(20));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(8);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Progress.say("hashing %d passwords", HASHES);
    List<LoadUser> hashed = LoadUser.make(HASHES, options.cost());
    List<LoadUser> users = hashed.stream().flatMap(user -> user.aliases(ALIASES)).toList();
    try (RemoteFunction function =
        new RemoteFunction(
            FUNCTION_TAKES,
            hashed.stream().collect(Collectors.toMap(LoadUser::setting, u -> u.hash().digest())))) {
      for (int round = 1; round <= options.rounds(); round++) {
        Progress.say("round %d of %d: starting", round, options.rounds());
        try (Site site = new Site();
            Service service = start(site, function, users, options)) {
          round(service, users, function, options, report);
        }
      }
    }
    SpillMoney.measure(hashed, users, options, report);
    report.note(
        "added: of spilled logins, milliseconds beyond those the function held the request");
    report.note("enqueue timeout 1 ms: no time in the pool's line is counted as the spill's");
    report.note("latencies from the moment a login was due; service, load: cores busy");
    report.note(
        "%d users, each from a network of its own; before the samples nearly each has logged in",
        HASHES * ALIASES);
    report.note("load: the clients and the function, in one process beside the service");
  }

  static Service start(Site site, RemoteFunction function, List<LoadUser> users, Options options)
      throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>(Launch.spillTo(function.port(), MAX_OUTSTANDING));
    settings.put("pool.threads", "1");
    settings.put("pool.lanes", "1");
    settings.put("pool.enqueue-timeout", "1ms");
    Service service = Launch.spillway(site, "spillway", options.cost(), settings);
    service.importUsers(service.token("admin", Launch.ADMIN_PASSWORD), LoadUser.importLines(users));
    return service;
  }

  private static void round(
      Service service,
      List<LoadUser> users,
      RemoteFunction function,
      Options options,
      Report report)
      throws IOException, InterruptedException {
    Logins logins = new Logins(function);
    try (Arrivals<LoadUser> arrivals = new Arrivals<>(service, users, logins::ended)) {
      warmUp(service, arrivals, options);
      sample(service, arrivals, logins, QUIET + "/s", QUIET, options, report);
      for (int rate = FIRST; ; rate += STEP) {
        boolean held = sample(service, arrivals, logins, rate + "/s", rate, options, report);
        if (!held || options.quick() && rate >= FIRST + STEP) {
          break;
        }
      }
    }
  }

  /**
   * Until a login has long cost what it costs. On two cores that takes minutes: as long as it lasts
   * the compilers use more CPU than the logins, and a login that meets one of them is late.
   */
  static void warmUp(Service service, Arrivals<LoadUser> arrivals, Options options)
      throws IOException {
    Progress.say("warming up");
    arrivals.run(200, Duration.ofSeconds(5));
    if (options.quick()) {
      arrivals.run(WARM_UP_PER_SECOND, Duration.ofSeconds(15));
      return;
    }
    double least = Double.MAX_VALUE;
    int steady = 0;
    for (int turn = 0; turn < WARM_UP_TURNS && steady < STEADY_TURNS; turn++) {
      Usage before = Usage.of(service);
      arrivals.run(WARM_UP_PER_SECOND, WARM_UP_TURN);
      Usage used = Usage.of(service).since(before);
      double millis =
          used.service().minus(used.hashing()).toNanos()
              / 1e6
              / (WARM_UP_PER_SECOND * WARM_UP_TURN.toSeconds());
      Progress.say("warming up: %.2f ms CPU a login", millis);
      steady = millis < STEADY * least ? 0 : steady + 1;
      least = Math.min(least, millis);
    }
    // Few logins take other ways than many: what they use shall be compiled too.
    arrivals.run(QUIET, WARM_UP_TURN);
  }

  static boolean sample(
      Service service,
      Arrivals<LoadUser> arrivals,
      Logins logins,
      String row,
      int perSecond,
      Options options,
      Report report)
      throws IOException, InterruptedException {
    Progress.say("%s", row);
    logins.clear();
    Usage before = Usage.of(service);
    double spilled = service.metric("spillway_hashing_total", "spilled");
    arrivals.run(perSecond, options.sample());
    spilled = service.metric("spillway_hashing_total", "spilled") - spilled;
    Usage used = Usage.of(service).since(before);
    List<Attempt> granted = logins.attempts.stream().filter(Attempt::granted).toList();
    Latencies latencies = Latencies.of(granted);
    int others = logins.attempts.size() - granted.size();
    double seconds = used.atNanos() / 1e9;
    report.add(row, "logins/s", granted.size() / seconds);
    report.add(row, "spilled/s", spilled / seconds);
    report.add(row, "not 200", others);
    report.add(row, "p50 ms", latencies.millis(0.5));
    report.add(row, "p99 ms", latencies.millis(0.99));
    Latencies added = Latencies.ofNanos(logins.addedNanos);
    report.add(row, "added p50 ms", added.millis(0.5));
    report.add(row, "added p99 ms", added.millis(0.99));
    double busy = used.cores(used.service().minus(used.hashing()));
    report.add(row, "service", busy);
    report.add(row, "service ms a login", 1000 * busy * seconds / granted.size());
    report.add(row, "hashing", used.cores(used.hashing()));
    report.add(row, "load", used.cores(used.load()));
    return others == 0 && latencies.millis(0.99) < P99_LIMIT_MILLIS;
  }

  /** Touched on the event loop while logins arrive, and by others in between. */
  static final class Logins {
    private final RemoteFunction function;
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Long> addedNanos = new ArrayList<>();
    private final Map<String, Integer> answered = new HashMap<>();

    Logins(RemoteFunction function) {
      this.function = function;
    }

    void clear() {
      attempts.clear();
      addedNanos.clear();
    }

    void ended(LoadUser user, Attempt attempt) {
      attempts.add(attempt);
      RemoteFunction.Answers answers = function.answers(user.setting());
      Integer before = answered.put(user.setting(), answers.count());
      // Another login of the same hash may have been answered meanwhile: then nobody knows whose
      // time it was.
      if (attempt.granted() && before != null && answers.count() == before + 1) {
        addedNanos.add(attempt.nanos() - answers.heldNanos());
      }
    }
  }
}
