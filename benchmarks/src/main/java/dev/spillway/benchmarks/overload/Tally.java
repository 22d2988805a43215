package dev.spillway.benchmarks.overload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of logins. All times are nanoseconds since the start of the run. Latencies are of
 * logins that were due in the window, from the moment they were due: a generator or a service that
 * comes to a login late does not make it look quick.
 */
public final class Tally {
  public static final int NO_ANSWER = 0;
  public static final int HUNG_UP = -1;

  private static final int GRANTED = 200;

  private final Plan plan;
  private final List<Map<Integer, Kind>> kinds = new ArrayList<>();
  private final List<int[]> grantedBySecond = new ArrayList<>();
  private final int[] due;
  private final Durations late = new Durations();

  Tally(Plan plan) {
    this.plan = plan;
    this.due = new int[plan.traffic().size()];
    int seconds = (int) (plan.lengthNanos() / 1_000_000_000L) + 1;
    plan.traffic()
        .forEach(
            _ -> {
              kinds.add(new TreeMap<>());
              grantedBySecond.add(new int[seconds]);
            });
  }

  void sent(int traffic, long dueNanos, long sentNanos) {
    if (counts(dueNanos)) {
      due[traffic]++;
      late.add(sentNanos - dueNanos);
    }
  }

  /**
   * @param status of HTTP, {@link #NO_ANSWER}, or {@link #HUNG_UP} if the client went away as it
   *     was to
   */
  void ended(int traffic, long dueNanos, long endNanos, int status) {
    Kind kind = kinds.get(traffic).computeIfAbsent(status, _ -> new Kind());
    if (counts(dueNanos)) {
      kind.took.add(endNanos - dueNanos);
    }
    if (counts(endNanos)) {
      kind.ended++;
    }
    int second = (int) (endNanos / 1_000_000_000L);
    int[] seconds = grantedBySecond.get(traffic);
    if (status == GRANTED && second < seconds.length) {
      seconds[second]++;
    }
  }

  List<Outcome.Of> outcomes() {
    List<Outcome.Of> all = new ArrayList<>();
    for (int i = 0; i < due.length; i++) {
      List<Outcome.Answers> answers = new ArrayList<>();
      kinds
          .get(i)
          .forEach(
              (status, kind) ->
                  answers.add(
                      new Outcome.Answers(
                          status,
                          kind.took.size(),
                          kind.ended,
                          kind.took.millis(0.5),
                          kind.took.millis(0.99),
                          kind.took.millis(1))));
      all.add(
          new Outcome.Of(
              plan.traffic().get(i).name(),
              due[i],
              answers,
              Arrays.stream(grantedBySecond.get(i)).boxed().toList()));
    }
    return all;
  }

  /** How late logins were sent, of those that count. */
  Durations late() {
    return late;
  }

  private boolean counts(long nanos) {
    return nanos >= plan.rampNanos() && nanos < plan.lengthNanos();
  }

  private static final class Kind {
    private final Durations took = new Durations();
    private int ended;
  }

  /** Many of them, in microseconds. */
  static final class Durations {
    private int[] micros = new int[256];
    private int size;

    void add(long nanos) {
      if (size == micros.length) {
        micros = Arrays.copyOf(micros, 2 * size);
      }
      micros[size++] = (int) Math.clamp(nanos / 1000, 0, Integer.MAX_VALUE);
    }

    int size() {
      return size;
    }

    /** NaN if there are none. */
    double millis(double quantile) {
      if (size == 0) {
        return Double.NaN;
      }
      Arrays.sort(micros, 0, size);
      return micros[(int) Math.round(quantile * (size - 1))] / 1e3;
    }
  }
}
