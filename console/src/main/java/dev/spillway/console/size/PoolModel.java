package dev.spillway.console.size;

/**
 * Model of the share of a load that finds a permit.
 *
 * <p>Logins come one by one at random (Poisson), hashes run as fast as that many lanes of that many
 * threads do, and a login that finds every permit taken spills. The refused share of this
 * birth-and-death process has a closed form (Erlang's loss formula with a rate for each state). The
 * few milliseconds in the queue are left out, so a little less spills than the model says.
 *
 * @param vcpus cores, each with a hash thread
 * @param cost of all hashes
 */
record PoolModel(int vcpus, int cost) {
  PoolModel {
    if (vcpus < 1) {
      throw new IllegalArgumentException("at least one vCPU");
    }
  }

  /** The share of {@code loginsPerSecond} that finds every permit taken; 0 to 1. */
  double refused(double loginsPerSecond) {
    // Hash threads have what the rest of the service leaves of the cores.
    double left = 1 - restOfLogins(loginsPerSecond) / vcpus;
    if (left <= 0) {
      return 1;
    }
    double share = 1;
    for (int running = 1; running <= vcpus * Measured.LANES; running++) {
      double offered = loginsPerSecond / (left * hashesPerSecond(running)) * share;
      share = offered / (1 + offered);
    }
    return share;
  }

  /** Cores that logins take beside their hashes. */
  static double restOfLogins(double loginsPerSecond) {
    return loginsPerSecond * Measured.REST_OF_LOGIN.toNanos() / 1e9;
  }

  /** Of all cores, with so many hashes running, evenly spread. */
  private double hashesPerSecond(int running) {
    int lanes = running / vcpus;
    int threadsWithOneMore = running % vcpus;
    double evenPart = (vcpus - threadsWithOneMore) * Measured.hashesPerSecond(lanes, cost);
    return threadsWithOneMore == 0
        ? evenPart
        : evenPart + threadsWithOneMore * Measured.hashesPerSecond(lanes + 1, cost);
  }
}
