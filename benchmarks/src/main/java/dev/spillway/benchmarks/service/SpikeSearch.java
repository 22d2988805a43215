package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Steps of load on one contender, to find the most it takes with a p99 below a second. */
final class SpikeSearch {
  private static final Duration P99_LIMIT = Duration.ofSeconds(1);

  /**
   * So many logins a step has to have for its p99 to say something, and twice its length at most.
   */
  private static final int LOGINS = 200;

  /** After a step that was too much its last answers may be on their way for so long. */
  private static final Duration TAIL = Duration.ofSeconds(2);

  private static final Duration SETTLES_WITHIN = Duration.ofSeconds(15);
  private static final double QUIET_CORES = 0.3;

  private final String label;
  private final Service service;
  private final Arrivals<LoadUser> arrivals;
  private final Duration stepLength;

  /** What has come of the step at work; touched on the event loop, and between steps. */
  private Step step = new Step(0);

  private SpikeSearch(String label, Service service, List<LoadUser> users, Duration stepLength) {
    this.label = label;
    this.service = service;
    this.arrivals = new Arrivals<>(service, users, (_, one) -> ended(one));
    this.stepLength = stepLength;
  }

  /** Takes from {@code share} what it wants but leaves {@code kept}. */
  static SearchEnd run(
      Stepping stepping,
      String label,
      Service service,
      List<LoadUser> users,
      Duration stepLength,
      SpikeBudget.Share share,
      Duration kept)
      throws IOException, InterruptedException {
    SpikeSearch search = new SpikeSearch(label, service, users, stepLength);
    try (var _ = search.arrivals) {
      while (!stepping.found()) {
        double rate = stepping.next();
        Duration length = search.length(rate);
        if (!share.allows(length.plus(TAIL), kept)) {
          Progress.say("%s: the time for stepping is over", search.label);
          return SearchEnd.TIME_OVER;
        }
        stepping.tried(rate, search.holds(rate, length));
        settle(service);
      }
      return SearchEnd.FOUND;
    }
  }

  private Duration length(double rate) {
    Duration enough = Duration.ofMillis(Math.round(1000 * LOGINS / rate));
    Duration atMost = stepLength.multipliedBy(2);
    return enough.compareTo(stepLength) < 0
        ? stepLength
        : enough.compareTo(atMost) > 0 ? atMost : enough;
  }

  private boolean holds(double rate, Duration length) throws IOException {
    step = new Step(0.01 * rate * length.toMillis() / 1e3);
    arrivals.run(rate, length);
    double p99 = Latencies.of(step.attempts).millis(0.99);
    boolean holds = step.notGranted == 0 && p99 < P99_LIMIT.toMillis();
    Progress.say(
        "%s: %.0f logins/s: p99 %.0f ms%s",
        label, rate, p99, step.notGranted == 0 ? "" : ", not all answered 200");
    return holds;
  }

  /** No more is offered as soon as it is known to be too much: what follows would have to wait. */
  private void ended(Attempt attempt) {
    step.add(attempt);
    if (step.isTooMuch()) {
      arrivals.stop();
    }
  }

  /** What came before has ended, also where nobody waits for it any more. */
  static void settle(Service service) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + SETTLES_WITHIN.toNanos();
    Usage last = Usage.of(service);
    while (System.nanoTime() < giveUp) {
      Thread.sleep(200);
      Usage now = Usage.of(service);
      Usage used = now.since(last);
      if (used.cores(used.service()) < QUIET_CORES) {
        return;
      }
      last = now;
    }
  }

  private static final class Step {
    private final double mayBeSlow;
    private final List<Attempt> attempts = new ArrayList<>();
    private int notGranted;
    private int slow;

    Step(double mayBeSlow) {
      this.mayBeSlow = mayBeSlow;
    }

    void add(Attempt attempt) {
      attempts.add(attempt);
      if (!attempt.granted()) {
        notGranted++;
      } else if (attempt.nanos() >= P99_LIMIT.toNanos()) {
        slow++;
      }
    }

    boolean isTooMuch() {
      return notGranted > 0 || slow > mayBeSlow + 1;
    }
  }
}
