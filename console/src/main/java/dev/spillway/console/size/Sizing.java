package dev.spillway.console.size;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The machines and functions that a load needs.
 *
 * @param vcpus of the service, all instances together; a hash thread each
 * @param usual the load on most of the day
 * @param peak the load for which it spills
 * @param concurrency of the function: reserved, and {@code max-outstanding} of all instances
 *     together
 * @param spilledPerMonth logins
 * @param servicePerMonth dollars
 * @param functionPerMonth dollars
 * @param functionBusyHour dollars for an hour in which all of the concurrency is busy
 * @param vcpusWithoutSpill that would serve the peak as the service serves the usual load
 * @param withoutSpillPerMonth dollars
 */
record Sizing(
    Demand demand,
    int vcpus,
    Load usual,
    Load peak,
    int concurrency,
    double spilledPerMonth,
    double servicePerMonth,
    double functionPerMonth,
    double functionBusyHour,
    int vcpusWithoutSpill,
    double withoutSpillPerMonth) {

  /** Of a load that the service is built for, so much may find every permit taken. */
  static final double REFUSED_AT_MOST = 0.05;

  /** Of the cores, so much may go to what logins take beside their hashes. */
  private static final double REST_AT_MOST = 0.5;

  private static final double DAYS_A_MONTH = FargatePrice.HOURS_A_MONTH / 24;
  private static final double MINUTES_A_DAY = 24 * 60;

  /**
   * The load to size for.
   *
   * @param loginsPerMinute on most of the day
   * @param peak logins a minute
   * @param peakMinutes of a day
   * @param vcpus if they are given; else as many as the usual load needs
   * @param call what the function is billed for one hash
   */
  record Demand(
      double loginsPerMinute,
      double peak,
      double peakMinutes,
      int cost,
      OptionalInt vcpus,
      Architecture architecture,
      Duration call) {}

  /**
   * Logins a minute, and where they are hashed.
   *
   * @param inFlight calls to the function at a time, on average: Little's law
   */
  record Load(double logins, double here, double spilled, double inFlight) {
    double share() {
      return logins == 0 ? 0 : spilled / logins;
    }
  }

  static Sizing of(Demand demand) {
    int vcpus =
        demand
            .vcpus()
            .orElseGet(
                () -> Math.max(vcpusFor(demand.loginsPerMinute(), demand.cost()), rest(demand)));
    Load usual = load(demand, vcpus, demand.loginsPerMinute());
    Load peak = load(demand, vcpus, demand.peak());
    int concurrency = concurrency(peak.inFlight());
    double spilled =
        DAYS_A_MONTH
            * (peak.spilled() * demand.peakMinutes()
                + usual.spilled() * (MINUTES_A_DAY - demand.peakMinutes()));
    int withoutSpill = vcpusFor(demand.peak(), demand.cost());
    LambdaPrice function = demand.architecture().function;
    FargatePrice service = demand.architecture().service;
    return new Sizing(
        demand,
        vcpus,
        usual,
        peak,
        concurrency,
        spilled,
        service.perMonth(vcpus),
        spilled * function.perLogin(demand.call()),
        function.busyHour(concurrency, demand.call()),
        withoutSpill,
        service.perMonth(withoutSpill));
  }

  /** Whether what logins take beside their hashes leaves the service no room at the peak. */
  boolean tooSmallForThePeak() {
    return vcpus < rest(demand);
  }

  /** Hashes at once. */
  int permits() {
    return vcpus * Measured.LANES;
  }

  /** The fewest cores, found by bisection: more cores never refuse more. */
  private static int vcpusFor(double loginsPerMinute, int cost) {
    int enough = 1;
    while (!serves(enough, loginsPerMinute, cost)) {
      enough *= 2;
    }
    int few = enough / 2;
    while (enough - few > 1) {
      int between = (few + enough) / 2;
      if (serves(between, loginsPerMinute, cost)) {
        enough = between;
      } else {
        few = between;
      }
    }
    return enough;
  }

  private static boolean serves(int vcpus, double loginsPerMinute, int cost) {
    return new PoolModel(vcpus, cost).refused(loginsPerMinute / 60) <= REFUSED_AT_MOST;
  }

  private static int rest(Demand demand) {
    return (int) Math.ceil(PoolModel.restOfLogins(demand.peak() / 60) / REST_AT_MOST);
  }

  private static Load load(Demand demand, int vcpus, double logins) {
    double spilled = logins * new PoolModel(vcpus, demand.cost()).refused(logins / 60);
    double callSeconds = demand.call().plus(Measured.ROUND_TRIP).toNanos() / 1e9;
    return new Load(logins, logins - spilled, spilled, spilled / 60 * callSeconds);
  }

  /**
   * Calls that come at random and wait for nothing are in flight in Poisson's distribution, whose
   * deviation is the root of its mean: three of them are exceeded one time in a thousand.
   */
  private static int concurrency(double inFlight) {
    return Math.max(1, (int) Math.ceil(inFlight + 3 * Math.sqrt(inFlight)));
  }
}
