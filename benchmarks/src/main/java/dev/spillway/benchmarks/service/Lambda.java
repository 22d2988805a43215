package dev.spillway.benchmarks.service;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * How AWS Lambda gives a function its execution environments: each serves one event at a time, a
 * new one has to start first, and there are limits to how many there are and how fast they come.
 * Not safe for use by several threads.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html">Understanding
 *     Lambda function scaling</a>
 */
final class Lambda {
  /** Environments a function may gain within ten seconds; what is not used is not carried over. */
  private static final double GAIN = 1000;

  private static final double GAIN_NANOS = Duration.ofSeconds(10).toNanos();

  private final int limit;
  private final Duration coldStart;
  private final Duration idleLife;
  private final ArrayDeque<Long> idleSinceNanos = new ArrayDeque<>();
  private int environments;
  private double mayStart = GAIN;
  private long mayStartAtNanos;
  private int coldStarts;
  private int throttled;

  /**
   * @param limit reserved concurrency
   * @param coldStart from the event to the moment the handler runs, in an environment that is new
   * @param idleLife how long an environment waits for its next event
   */
  Lambda(int limit, Duration coldStart, Duration idleLife, long nowNanos) {
    this.limit = limit;
    this.coldStart = coldStart;
    this.idleLife = idleLife;
    this.mayStartAtNanos = nowNanos;
  }

  /** An event has come. */
  Admission admit(long nowNanos) {
    while (!idleSinceNanos.isEmpty()
        && nowNanos - idleSinceNanos.peekFirst() > idleLife.toNanos()) {
      idleSinceNanos.removeFirst();
      environments--;
    }
    if (!idleSinceNanos.isEmpty()) {
      idleSinceNanos.removeLast(); // the one used last is used first
      return new Admission.Runs(Duration.ZERO);
    }
    mayStart = Math.min(GAIN, mayStart + GAIN * (nowNanos - mayStartAtNanos) / GAIN_NANOS);
    mayStartAtNanos = nowNanos;
    if (environments == limit) {
      throttled++;
      return new Admission.Throttled("ReservedFunctionConcurrentInvocationLimitExceeded");
    }
    if (mayStart < 1) {
      throttled++;
      return new Admission.Throttled("ConcurrentInvocationLimitExceeded");
    }
    mayStart--;
    environments++;
    coldStarts++;
    return new Admission.Runs(coldStart);
  }

  /** An admitted event has been answered. */
  void done(long nowNanos) {
    idleSinceNanos.addLast(nowNanos);
  }

  int environments() {
    return environments;
  }

  int coldStarts() {
    return coldStarts;
  }

  int throttled() {
    return throttled;
  }

  /** What becomes of an event. */
  sealed interface Admission {
    /** It is handled, after so long. */
    record Runs(Duration after) implements Admission {}

    /** 429, for this reason. */
    record Throttled(String reason) implements Admission {}
  }
}
