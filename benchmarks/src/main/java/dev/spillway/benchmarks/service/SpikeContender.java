package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The services that are put under the same spike. */
enum SpikeContender {
  NAIVE("naive", "bcrypt on the request's thread, no bound; spring-security-crypto"),
  POOL("pool only", "Spillway, with nowhere to spill to"),
  LOCAL(
      "pool + local processes",
      "Spillway, spilling to real function processes that share this machine's CPU"),
  REMOTE(
      "pool + remote function",
      "Spillway, spilling to a simulated function elsewhere: a fixed time, Lambda's scaling rules"),
  KEYCLOAK(
      "Keycloak, argon2id",
      "Keycloak "
          + Keycloak.VERSION
          + ", hashing as it does by default (7 MiB, five passes); its token endpoint, password"
          + " grant; one node, its database in a file"),
  KEYCLOAK_PBKDF2(
      "Keycloak, cost of bcrypt",
      "the same, hashing by PBKDF2 with as many iterations as take the CPU time of this bcrypt,"
          + " measured at its start: it has no bcrypt");

  /** Ours, and what everybody builds first. */
  static final Set<SpikeContender> USUAL =
      Collections.unmodifiableSet(EnumSet.range(NAIVE, REMOTE));

  /** Not there unless asked for: they have to be fetched. */
  static final Set<SpikeContender> RIVALS =
      Collections.unmodifiableSet(EnumSet.of(KEYCLOAK, KEYCLOAK_PBKDF2));

  /** One digest of cost 12 on one vCPU; of each cost more or less twice the time. */
  private static final Duration REMOTE_AT_COST_12 = Duration.ofMillis(250);

  private static final int COST_12 = 12;
  private static final Duration REMOTE_OVERHEAD = Duration.ofMillis(15);

  /** Of the native function; see docs/performance.md for what is measured here. */
  private static final Duration COLD_START = Duration.ofMillis(300);

  private static final Duration IDLE_LIFE = Duration.ofMinutes(5);
  private static final int RESERVED = 1000;
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final String label;
  private final String about;

  SpikeContender(String label, String about) {
    this.label = label;
    this.about = about;
  }

  String label() {
    return label;
  }

  String about() {
    return about;
  }

  /** How much more than what held a contender is asked for next when nothing was too much yet. */
  double stride() {
    return this == REMOTE ? 2 : 1.25;
  }

  boolean isSpillway() {
    return this == POOL || this == LOCAL || this == REMOTE;
  }

  boolean isRival() {
    return RIVALS.contains(this);
  }

  /** Cheap logins that warm it up: fewer than it can take of them when it is young. */
  double warmUpPerSecond() {
    return isRival() ? 40 : 300;
  }

  /** Of {@code usual}. What does more has more to compile. */
  Duration warmUp(Duration usual) {
    return isRival() ? usual.multipliedBy(3) : usual;
  }

  /** From the process to a service that is ready; one that takes longer delays the end. */
  Duration startsWithin() {
    return Duration.ofSeconds(isRival() ? 45 : 10);
  }

  /** How long the simulated function takes for one digest. */
  static Duration remoteTakes(int cost) {
    double factor = Math.pow(2, cost - COST_12);
    return REMOTE_OVERHEAD.plusNanos(Math.round(REMOTE_AT_COST_12.toNanos() * factor));
  }

  /** Started, warm, and with the load's users. */
  Started start(Site site, int cost, SpikeUsers load) throws IOException, InterruptedException {
    List<LoadUser> users = load.all();
    return switch (this) {
      case NAIVE -> new Started(Launch.naive(site, "naive", cost, users), null);
      case POOL -> new Started(spillway(site, cost, users, Map.of()), null);
      case LOCAL -> {
        int port = Launch.localLambda(site, CORES);
        yield new Started(spillway(site, cost, users, Launch.spillTo(port, CORES)), null);
      }
      case KEYCLOAK -> new Started(Keycloak.start(site, load, KeycloakRealm.Hashing.DEFAULT), null);
      case KEYCLOAK_PBKDF2 -> {
        int iterations = EqualCost.iterations(cost);
        Progress.say("%s: %d iterations", label, iterations);
        yield new Started(
            Keycloak.start(site, load, KeycloakRealm.Hashing.pbkdf2(iterations)), null);
      }
      case REMOTE -> {
        RemoteFunction function =
            new RemoteFunction(
                remoteTakes(cost),
                users.stream()
                    .collect(
                        Collectors.toMap(
                            LoadUser::setting, user -> user.hash().digest(), (one, _) -> one)),
                coldLambda());
        try {
          yield new Started(
              spillway(site, cost, users, Launch.spillTo(function.port(), RESERVED)), function);
        } catch (IOException | InterruptedException | RuntimeException e) {
          function.close(); // its event loop would keep this process alive
          throw e;
        }
      }
    };
  }

  private static Lambda coldLambda() {
    return new Lambda(RESERVED, COLD_START, IDLE_LIFE, System.nanoTime());
  }

  private static Service spillway(
      Site site, int cost, List<LoadUser> users, Map<String, String> settings)
      throws IOException, InterruptedException {
    Service service = Launch.spillway(site, "spillway", cost, new HashMap<>(settings));
    String report =
        service.importUsers(
            service.token("admin", Launch.ADMIN_PASSWORD), LoadUser.importLines(users));
    if (!report.contains("\"imported\":" + users.size())) {
      throw new IOException("not all users were imported: " + report);
    }
    return service;
  }

  /**
   * A contender that runs.
   *
   * @param function null if it has no simulated one
   */
  record Started(Service service, RemoteFunction function) implements AutoCloseable {
    /** A simulated function has no environments any more, as after a quiet night. */
    void cool() throws IOException {
      if (function != null) {
        function.scaleBy(coldLambda());
      }
    }

    @Override
    public void close() throws IOException {
      service.close();
      if (function != null) {
        function.close();
      }
    }
  }
}
