package dev.spillway.benchmarks.overload;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the generator found in one run.
 *
 * @param lateP99Millis how late it sent logins itself
 * @param unsent logins that got no connection from this machine
 * @param cpuSeconds its own CPU time within the window
 * @param windowSeconds how long the window was
 */
public record Outcome(
    List<Of> traffic,
    double lateP99Millis,
    double lateMaxMillis,
    int unsent,
    int connections,
    double cpuSeconds,
    double windowSeconds) {
  /** A p99 of lateness above this is one that latencies of milliseconds notice. */
  private static final double LATE_MILLIS = 25;

  /** Whether its figures are also about the generator. */
  public boolean behind() {
    return lateP99Millis > LATE_MILLIS || unsent > 0;
  }

  /** Of the first traffic. */
  public Of users() {
    return traffic.getFirst();
  }

  /**
   * What became of one traffic.
   *
   * @param due logins that were due in the window
   * @param grantedBySecond 200s by the second since the start in which they came
   */
  public record Of(String name, int due, List<Answers> answers, List<Integer> grantedBySecond) {
    /** A second, within the window, whenever they were due. */
    public double perSecond(int status, double windowSeconds) {
      return sum(status, Answers::ended) / windowSeconds;
    }

    /** Of those due in the window. */
    public int count(int status) {
      return (int) sum(status, Answers::due);
    }

    /** Within the window. */
    public int ended(int status) {
      return (int) sum(status, Answers::ended);
    }

    /** NaN if there is none with this status. */
    public double millis(int status, ToDoubleFunction<Answers> which) {
      return answers.stream()
          .filter(one -> one.status == status)
          .mapToDouble(which)
          .findFirst()
          .orElse(Double.NaN);
    }

    private double sum(int status, ToDoubleFunction<Answers> what) {
      return answers.stream().filter(one -> one.status == status).mapToDouble(what).sum();
    }
  }

  /**
   * Answers of one status.
   *
   * @param status of HTTP; 0 if there was no answer, -1 if the client went away as it was to
   * @param due to logins that were due in the window; times are of these
   * @param ended that came within the window
   */
  public record Answers(
      int status, int due, int ended, double p50Millis, double p99Millis, double maxMillis) {}
}
