package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The services that are offered more than they can do. */
enum OverloadContender {
  NAIVE("naive", 0),
  POOL("pool only", 0),
  THROTTLED("pool + throttled function", 0),
  REMOTE("pool + remote function of 20", 20);

  /** Of the service's limit of calls pending at a target; the default. */
  private static final int MAX_OUTSTANDING = 50;

  private static final Duration COLD_START = Duration.ofMillis(300);
  private static final Duration IDLE_LIFE = Duration.ofMinutes(5);

  private final String label;
  private final int slots;

  OverloadContender(String label, int slots) {
    this.label = label;
    this.slots = slots;
  }

  String label() {
    return label;
  }

  /** Whether a restart finds the users that were imported. */
  boolean isSpillway() {
    return this != NAIVE;
  }

  private String directory() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A function for all starts of a contender; none where it has none. */
  Optional<RemoteFunction> function(int cost, List<LoadUser> users) throws IOException {
    if (this == NAIVE || this == POOL) {
      return Optional.empty();
    }
    return Optional.of(
        new RemoteFunction(
            SpikeContender.remoteTakes(cost),
            users.stream()
                .collect(
                    Collectors.toMap(
                        LoadUser::setting, user -> user.hash().digest(), (one, _) -> one)),
            new Lambda(slots, COLD_START, IDLE_LIFE, System.nanoTime())));
  }

  /**
   * A process of it that is ready. Started again in the same site it has the same users.
   *
   * @param settled whether it has also chosen its lanes
   */
  Service start(
      Site site,
      int cost,
      List<LoadUser> users,
      Optional<RemoteFunction> function,
      Map<String, String> settings,
      boolean settled)
      throws IOException, InterruptedException {
    if (this == NAIVE) {
      return Launch.naive(site, directory(), cost, users);
    }
    Map<String, String> all = new HashMap<>();
    function.ifPresent(far -> all.putAll(Launch.spillTo(far.port(), MAX_OUTSTANDING)));
    all.putAll(settings);
    return settled
        ? Launch.spillway(site, directory(), cost, all)
        : Launch.spillwayAtOnce(site, directory(), cost, all);
  }
}
