package dev.spillway.benchmarks.balance;

/**
 * What is simulated.
 *
 * @param odd what worker 0 is like; the others are all alike
 * @param instances of the service, each with requesters and a balancer of its own, over the same
 *     workers
 * @param serversPerWorker requests a worker serves side by side; the rest wait at it, in line
 */
record Setting(String name, Odd odd, int instances, int serversPerWorker) {
  static final int REQUESTERS = 100;
  static final int WORKERS = 10;
  static final double MEAN_SERVICE_MILLIS = 100;

  /** How worker 0 differs. */
  enum Odd {
    NOT,
    TEN_TIMES_SLOWER,
    FAILS_IN_A_MILLISECOND
  }

  /** So that the workers are busy four fifths of the time if nothing is odd. */
  double meanThinkMillis() {
    return MEAN_SERVICE_MILLIS * (REQUESTERS / (double) (WORKERS * serversPerWorker) / 0.8 - 1.5);
  }
}
