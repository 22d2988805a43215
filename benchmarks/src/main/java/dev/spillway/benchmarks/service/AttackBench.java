package dev.spillway.benchmarks.service;

import dev.spillway.console.size.LambdaPrice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What guessers buy, and what users at home elsewhere notice of them. */
final class AttackBench implements Bench {
  private static final int GUESSES = 10_000;

  /** Of a block for documentation (RFC 5737). */
  private static final String ATTACKER = "203.0.113.7";

  private static final String HANGING_UP = "203.0.113.8";
  private static final String PREFIX_48 = "2001:db8:77:";
  private static final int NETWORKS_64 = 4_096;
  private static final double USERS_AT_EASE_PER_SECOND = 8;

  private static final String GUARDED = "throttles";
  private static final int USERS = 100;
  private static final int NEIGHBOURS = 5;
  private static final int AT_ONCE = 4;
  private static final double USERS_PER_SECOND = 20;
  private static final double NEIGHBOURS_PER_SECOND = 2;
  private static final double WARM_UP_PER_SECOND = 400;
  private static final Duration WARM_UP = Duration.ofSeconds(45);
  private static final int MAX_OUTSTANDING = 1000;
  private static final Duration FUNCTION_TAKES = Duration.ofMillis(250);

  @Override
  public String about() {
    return """
    Ten thousand wrong guesses from one network, half of them at accounts that exist, while users
    log in from networks of their own and five from the attacker's, where they have logged in
    before. The function takes 250 ms. With the throttles as they are, and with the attacker's
    network exempt from them: what the same attack buys otherwise.
    Before that, while a third of what the pool can take is logged in by users at home elsewhere: no
    attack; 24 and 150 connections of one network that hang up on each guess after 60 ms; and guesses
    from ever other /64s of one /48.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(12, 1, Duration.ofSeconds(20));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(15);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Progress.say("hashing %d passwords", USERS);
    List<LoadUser> users = LoadUser.make(USERS, options.cost());
    for (int round = 1; round <= options.rounds(); round++) {
      for (boolean guarded : new boolean[] {true, false}) {
        try (Site site = new Site();
            RemoteFunction function =
                new RemoteFunction(
                    FUNCTION_TAKES,
                    users.stream()
                        .collect(Collectors.toMap(LoadUser::setting, u -> u.hash().digest())));
            Service service = start(site, guarded, function, users, options)) {
          attack(service, function, users, options, report);
        }
      }
    }
    report.note(
        "%d guesses in %d s; %.0f logins a second of users, %.0f of the attacker's neighbours",
        GUESSES, options.sample().toSeconds(), USERS_PER_SECOND, NEIGHBOURS_PER_SECOND);
    report.note(
        "no attack, hang up, /64s: %.0f logins a second of users; 'spilled' is how many of theirs the"
            + " function computed",
        USERS_AT_EASE_PER_SECOND);
    report.note("dollars: guesses that the function computed, at 250 ms each and list price");
    report.note("exempt: the same service with the attacker's network in spillway.throttle.exempt");
  }

  private static Service start(
      Site site, boolean guarded, RemoteFunction function, List<LoadUser> users, Options options)
      throws IOException, InterruptedException {
    String name = guarded ? GUARDED : "exempt";
    Progress.say("%s: starting", name);
    Map<String, String> settings = new HashMap<>(Launch.spillTo(function.port(), MAX_OUTSTANDING));
    settings.put("throttle.exempt", guarded ? "127.0.0.0/8" : "127.0.0.0/8," + ATTACKER);
    Service service = Launch.spillway(site, name, options.cost(), settings);
    service.importUsers(service.token("admin", Launch.ADMIN_PASSWORD), LoadUser.importLines(users));
    return service;
  }

  private static void attack(
      Service service,
      RemoteFunction function,
      List<LoadUser> users,
      Options options,
      Report report)
      throws Exception {
    List<Caller> neighbours = new ArrayList<>();
    List<Caller> others = new ArrayList<>();
    for (LoadUser user : users) {
      boolean neighbour = neighbours.size() < NEIGHBOURS;
      (neighbour ? neighbours : others)
          .add(neighbour ? new Caller.Guess(user.login(), LoadUser.PASSWORD, ATTACKER) : user);
    }
    Progress.say("%s: users log in at home", service.name());
    logInOnce(service, neighbours);
    logInOnce(service, others);
    Progress.say("%s: warming up", service.name());
    new Seen().run(service, others, WARM_UP_PER_SECOND, WARM_UP);

    if (service.name().equals(GUARDED)) {
      beside("no attack", service, function, others, options, report, () -> () -> 0L);
      for (int connections : new int[] {24, 150}) {
        beside(
            connections + " hang up",
            service,
            function,
            others,
            options,
            report,
            () -> HangUps.start(service.port(), connections, HANGING_UP, guesses(others)));
      }
      beside(
          "/64s of a /48",
          service,
          function,
          others,
          options,
          report,
          () -> rotation(service, others, options));
    }

    Progress.say("%s: attack", service.name());
    long before = function.guesses();
    Usage start = Usage.of(service);
    Seen guesses = new Seen();
    Seen home = new Seen();
    Seen beside = new Seen();
    double perSecond = GUESSES / (options.sample().toMillis() / 1e3);
    try (ExecutorService loads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all =
          List.of(
              loads.submit(
                  () -> guesses.run(service, guesses(others), perSecond, options.sample())),
              loads.submit(() -> home.run(service, others, USERS_PER_SECOND, options.sample())),
              loads.submit(
                  () -> beside.run(service, neighbours, NEIGHBOURS_PER_SECOND, options.sample())));
      for (Future<?> one : all) {
        one.get();
      }
    }
    Usage used = Usage.of(service).since(start);
    long bought = function.guesses() - before;
    String row = service.name();
    report.add(row, "guesses", guesses.attempts.size());
    report.add(row, "guesses: 401", guesses.count(401));
    report.add(row, "guesses: 429", guesses.count(429));
    report.add(row, "guesses: 503", guesses.count(503));
    report.add(row, "guesses: else", guesses.others(401, 429, 503));
    report.add(row, "guesses in Lambda", bought);
    report.add(row, "dollars", bought * LambdaPrice.ARM64.perLogin(FUNCTION_TAKES));
    home.tell(row, "users", report);
    beside.tell(row, "neighbours", report);
    report.add(row, "service, cores", used.cores(used.service().minus(used.hashing())));
    report.add(row, "hashing, cores", used.cores(used.hashing()));
  }

  /** An attack that goes on; ended, it says how many guesses it has made. */
  interface Attack {
    long end() throws Exception;
  }

  /** What users at home elsewhere notice of an attack. */
  private static void beside(
      String row,
      Service service,
      RemoteFunction function,
      List<Caller> users,
      Options options,
      Report report,
      Callable<Attack> begin)
      throws Exception {
    Progress.say("%s: %s", service.name(), row);
    long spilled = spilled(function, users);
    Seen seen = new Seen();
    Attack attack = begin.call();
    try {
      seen.run(service, users, USERS_AT_EASE_PER_SECOND, options.sample());
    } finally {
      report.add(row, "guesses", attack.end());
    }
    seen.tell(row, "users", report);
    report.add(row, "users: 503", seen.count(503));
    report.add(row, "users: spilled", spilled(function, users) - spilled);
  }

  private static long spilled(RemoteFunction function, List<Caller> users) {
    return users.stream()
        .mapToLong(user -> function.answers(((LoadUser) user).setting()).count())
        .sum();
  }

  /**
   * As many guesses as the whole attack makes in this time, each network's only one for a while.
   */
  private static Attack rotation(Service service, List<Caller> users, Options options) {
    List<Caller> guesses = new ArrayList<>();
    for (int i = 0; i < NETWORKS_64; i++) {
      guesses.add(
          new Caller.Guess(
              i % 2 == 0 ? users.get(i % users.size()).login() : "nobody-" + i,
              "a-guess",
              PREFIX_48 + Integer.toHexString(i) + "::1"));
    }
    Seen seen = new Seen();
    Thread run =
        Thread.startVirtualThread(
            () -> {
              try {
                seen.run(
                    service,
                    guesses,
                    GUESSES / (options.sample().toMillis() / 1e3),
                    options.sample());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return () -> {
      run.join();
      return seen.attempts.size();
    };
  }

  /** A success from this network is what makes an account at home there. */
  private static void logInOnce(Service service, List<Caller> callers) throws Exception {
    try (ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Attempt> one :
          clients.invokeAll(
              callers.stream().<Callable<Attempt>>map(who -> () -> service.login(who)).toList())) {
        if (!one.get().granted()) {
          throw new IOException("a user was answered " + one.get().status());
        }
      }
    }
  }

  private static List<Caller> guesses(List<Caller> users) {
    List<Caller> guesses = new ArrayList<>();
    users.forEach(user -> guesses.add(new Caller.Guess(user.login(), "a-guess", ATTACKER)));
    IntStream.range(0, users.size())
        .forEach(i -> guesses.add(new Caller.Guess("nobody-" + i, "a-guess", ATTACKER)));
    return guesses;
  }

  /** The answers to one kind of caller. */
  private static final class Seen {
    private final List<Attempt> attempts = new ArrayList<>();

    Void run(Service service, List<Caller> callers, double perSecond, Duration length)
        throws IOException {
      try (Arrivals<Caller> arrivals =
          new Arrivals<>(service, callers, (_, one) -> attempts.add(one))) {
        arrivals.run(perSecond, length);
      }
      return null;
    }

    long count(int status) {
      return attempts.stream().filter(one -> one.status() == status).count();
    }

    long others(int... statuses) {
      return attempts.stream()
          .filter(one -> IntStream.of(statuses).noneMatch(status -> status == one.status()))
          .count();
    }

    void tell(String row, String who, Report report) {
      Latencies latencies = Latencies.of(attempts.stream().filter(Attempt::granted).toList());
      report.add(row, who + ": logins", attempts.size());
      report.add(row, who + ": not 200", others(200));
      report.add(row, who + ": p50 ms", latencies.millis(0.5));
      report.add(row, who + ": p99 ms", latencies.millis(0.99));
    }
  }
}
