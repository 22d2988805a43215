package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Whether the time of an answer tells who has an account. */
final class TimingBench implements Bench {
  private static final int SAMPLES = 500;
  private static final int QUICK_SAMPLES = 100;
  private static final int MAX_OUTSTANDING = 1000;
  private static final int AT_ONCE = 4;
  private static final Duration FUNCTION_TAKES = Duration.ofMillis(250);
  private static final int SEED = 1;

  /** They do within a second. */
  private static final Duration DECOYS_FOLLOW = Duration.ofSeconds(3);

  /** Who is asked for; the password is wrong, or does not matter. */
  private enum Kind {
    KNOWN,
    UNKNOWN,
    DISABLED
  }

  @Override
  public String about() {
    return """
    Whether an answer's time tells if a login exists: those to users with a wrong password, of
    names that nobody has, and of disabled users with the right one, in random order, each from a
    network of its own, with throttles on. On an idle pool; on a pool that is full, where they wait
    for a permit; at the gate, with more than it lets in; spilled, to a function of 250 ms; locked by
    a wrong guess before, where all are answered 429 and nothing is hashed; and after an import of
    users whose hashes are of a cost four lower than the configured one. By the Mann-Whitney test: auc is the chance that one of
    the second kind took longer than one of the first (0.5: no telling), z how many standard
    deviations that is from 0.5. At last, two instances on one database with hashes of two costs:
    how many logins take more than twice as long at one instance as at the other.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(10, 1, Duration.ZERO);
  }

  @Override
  public Duration quickSample() {
    return Duration.ZERO;
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    int samples = options.quick() ? QUICK_SAMPLES : SAMPLES;
    // Every account of a situation is asked for once: a second wrong guess would be counted.
    Progress.say("hashing %d passwords", 2 * samples);
    List<LoadUser> known = LoadUser.make("known", samples, options.cost());
    List<LoadUser> disabled = LoadUser.make("disabled", samples, options.cost());
    try (RemoteFunction function = new RemoteFunction(FUNCTION_TAKES, Map.of())) {
      for (int round = 1; round <= options.rounds(); round++) {
        for (Situation situation : Situation.values()) {
          Progress.say("round %d of %d: %s", round, options.rounds(), situation.label);
          try (Site site = new Site();
              Service service = situation.start(site, function, options)) {
            String token = service.token("admin", Launch.ADMIN_PASSWORD);
            service.importUsers(token, LoadUser.importLines(known));
            service.importUsers(
                token, LoadUser.importLines(disabled).replace("\"}\n", "\",\"disabled\":true}\n"));
            List<Call> calls = calls(known, disabled);
            if (situation == Situation.LOCKED) {
              lock(service, calls);
            }
            measure(situation, service, calls, report);
          }
        }
        Progress.say("round %d of %d: two instances", round, options.rounds());
        twoInstances(known.subList(0, samples / 2), options, report);
      }
    }
    report.note("%d of each kind in each situation; ms from request to answer", samples);
    report.note("|z| under 3.3 comes about by chance in 999 of 1,000 comparisons of equals");
  }

  /** One wrong guess is all that is allowed there. */
  private static void lock(Service service, List<Call> calls) throws Exception {
    Progress.say("%d wrong guesses", calls.size());
    try (ExecutorService askers = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Attempt>> guesses = new ArrayList<>();
      for (Call call : calls) {
        guesses.add(askers.submit(() -> service.login(call.caller)));
      }
      for (Future<Attempt> guess : guesses) {
        if (guess.get().status() != 401) {
          throw new IOException("a first wrong guess was answered " + guess.get().status());
        }
      }
    }
  }

  private static void measure(Situation situation, Service service, List<Call> calls, Report report)
      throws Exception {
    Map<Kind, List<Double>> millis = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      millis.put(kind, Collections.synchronizedList(new ArrayList<>()));
    }
    double spilled = service.metric("spillway_hashing_total", "spilled");
    int clients = situation.clients * (int) service.metric("spillway_pool_size", "");
    List<Integer> strange = Collections.synchronizedList(new ArrayList<>());
    // These come from loopback, which is exempt.
    try (Load<Attempt> busy = Load.closedLoop(clients, service::login);
        ExecutorService askers = Executors.newFixedThreadPool(situation.atOnce)) {
      busy.run(Duration.ofSeconds(5));
      List<Future<?>> asked = new ArrayList<>();
      for (Call call : calls) {
        asked.add(
            askers.submit(
                () -> {
                  Attempt attempt = service.login(call.caller);
                  if (attempt.status() == situation.status) {
                    millis.get(call.kind).add(attempt.nanos() / 1e6);
                  } else {
                    strange.add(attempt.status());
                  }
                }));
      }
      for (Future<?> one : asked) {
        one.get();
      }
    }
    spilled = service.metric("spillway_hashing_total", "spilled") - spilled;
    String row = situation.label;
    millis.forEach(
        (kind, list) ->
            report.add(row, "p50 ms, " + kind.name().toLowerCase(Locale.ROOT), median(list)));
    MannWhitney unknown = MannWhitney.of(millis.get(Kind.KNOWN), millis.get(Kind.UNKNOWN));
    report.add(row, "unknown: auc", unknown.auc());
    report.add(row, "unknown: z", unknown.z());
    MannWhitney off = MannWhitney.of(millis.get(Kind.KNOWN), millis.get(Kind.DISABLED));
    report.add(row, "disabled: auc", off.auc());
    report.add(row, "disabled: z", off.z());
    report.add(row, "another status", strange.size());
    report.add(row, "spilled, all", spilled);
  }

  private static void twoInstances(List<LoadUser> known, Options options, Report report)
      throws Exception {
    List<LoadUser> cheap = LoadUser.make("cheap", known.size(), options.cost() - 2);
    try (Site site = new Site()) {
      Map<String, String> settings =
          Map.of("database.url", "jdbc:h2:file:" + site.path("shared") + ";AUTO_SERVER=TRUE");
      try (Service one = Launch.spillway(site, "one", options.cost(), settings);
          Service other = Launch.spillway(site, "other", options.cost(), settings)) {
        String token = one.token("admin", Launch.ADMIN_PASSWORD);
        one.importUsers(token, LoadUser.importLines(known) + LoadUser.importLines(cheap));
        Thread.sleep(DECOYS_FOLLOW);
        List<Caller> users = new ArrayList<>();
        List<Caller> nobody = new ArrayList<>();
        for (LoadUser user : known) {
          users.add(new Caller.Guess(user.login(), "a-wrong-guess", user.address()));
        }
        for (LoadUser user : cheap) {
          users.add(new Caller.Guess(user.login(), "a-wrong-guess", user.address()));
          nobody.add(new Caller.Guess("not-" + user.login(), "a-wrong-guess", user.address()));
        }
        Collections.shuffle(users, new Random(SEED));
        String row = "two instances";
        report.add(row, "known: asked at both", nobody.size());
        report.add(row, "known: differ", differ(one, other, users.subList(0, nobody.size())));
        report.add(row, "unknown: asked at both", nobody.size());
        report.add(row, "unknown: differ", differ(one, other, nobody));
      }
    }
  }

  private static int differ(Service one, Service other, List<Caller> callers) throws IOException {
    int differ = 0;
    for (Caller caller : callers) {
      Attempt here = one.login(caller);
      Attempt there = other.login(caller);
      if (here.status() != 401 || there.status() != 401) {
        throw new IOException("a guess was answered " + here.status() + ", " + there.status());
      }
      double ratio = (double) here.nanos() / there.nanos();
      differ += Math.max(ratio, 1 / ratio) > 2 ? 1 : 0;
    }
    return differ;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
  }

  /** In random order, but always the same. */
  private static List<Call> calls(List<LoadUser> known, List<LoadUser> disabled) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      LoadUser one = known.get(i);
      calls.add(
          new Call(Kind.KNOWN, new Caller.Guess(one.login(), "a-wrong-guess", one.address())));
      calls.add(new Call(Kind.DISABLED, disabled.get(i)));
      String nobody = "nobody-" + i;
      calls.add(
          new Call(
              Kind.UNKNOWN,
              new Caller.Guess(
                  nobody, "a-wrong-guess", "100.64.%s.%s".formatted(i / 250, i % 250))));
    }
    Collections.shuffle(calls, new Random(SEED));
    return calls;
  }

  private record Call(Kind kind, Caller caller) {}

  private enum Situation {
    IDLE("idle pool", 0, 1, 401),
    SATURATED("full pool", 3, 2, 401),
    GATE("at the gate", 40, 2, 401),
    SPILLED("spilled", 3, AT_ONCE, 401),
    LOCKED("locked", 0, 1, 429),
    IMPORTED("after an import", 0, 1, 401);

    private final String label;

    /** Clients for each permit that keep the pool busy. */
    private final int clients;

    private final int atOnce;

    /** Of every answer. */
    private final int status;

    Situation(String label, int clients, int atOnce, int status) {
      this.label = label;
      this.clients = clients;
      this.atOnce = atOnce;
      this.status = status;
    }

    Service start(Site site, RemoteFunction function, Options options)
        throws IOException, InterruptedException {
      Map<String, String> settings = new HashMap<>();
      if (this == SPILLED) {
        settings.putAll(Launch.spillTo(function.port(), MAX_OUTSTANDING));
        settings.put("pool.threads", "1");
        settings.put("pool.lanes", "1");
      }
      if (this == LOCKED) {
        settings.put("throttle.account-limit", "1");
      }
      int cost = this == IMPORTED ? options.cost() + 4 : options.cost();
      return Launch.spillway(site, "spillway", cost, settings);
    }
  }
}
