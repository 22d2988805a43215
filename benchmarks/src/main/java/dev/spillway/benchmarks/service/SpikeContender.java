package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      "Spillway, spilling to a simulated function elsewhere: a fixed time, Lambda's scaling rules");

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

  boolean isSpillway() {
    return this != NAIVE;
  }

  /** How long the simulated function takes for one digest. */
  static Duration remoteTakes(int cost) {
    double factor = Math.pow(2, cost - COST_12);
    return REMOTE_OVERHEAD.plusNanos(Math.round(REMOTE_AT_COST_12.toNanos() * factor));
  }

  /** Started, warm, and with the load's users. */
  Started start(Site site, int cost, List<LoadUser> users)
      throws IOException, InterruptedException {
    return switch (this) {
      case NAIVE -> new Started(Launch.naive(site, "naive", cost, users), null);
      case POOL -> new Started(spillway(site, cost, users, Map.of()), null);
      case LOCAL -> {
        int port = Launch.localLambda(site, CORES);
        yield new Started(spillway(site, cost, users, Launch.spillTo(port, CORES)), null);
      }
      case REMOTE -> {
        RemoteFunction function =
            new RemoteFunction(
                remoteTakes(cost),
                users.stream()
                    .collect(Collectors.toMap(LoadUser::setting, user -> user.hash().digest())),
                new Lambda(RESERVED, COLD_START, IDLE_LIFE, System.nanoTime()));
        yield new Started(
            spillway(site, cost, users, Launch.spillTo(function.port(), RESERVED)), function);
      }
    };
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
    @Override
    public void close() throws IOException {
      service.close();
      if (function != null) {
        function.close();
      }
    }
  }
}
