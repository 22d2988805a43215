package dev.spillway.console.size;

/**
 * How much of a load finds a permit.
 *
 * <p>Logins come one by one at random (Poisson), hashes run as fast as so many lanes of so many
 * threads do, and whoever finds every permit taken spills: a birth-and-death process, of which the
 * share that is refused has a closed form (Erlang's loss formula with a rate for each state). The
 * few milliseconds that a caller may stand in line are left out, so a little less is spilled than
 * this says.
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
    // Hash threads step aside for everything else, so they have what that leaves of the cores.
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
