package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.SpillAnswer.Reason;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * One function: where it is, how many calls it may have, and what is known of it.
 *
 * @param name the operator's, for metrics
 */
record SpillTarget(
    String name,
    SpillPlan.Target plan,
    LambdaEndpoint endpoint,
    CallTimes times,
    Refusals refusals) {

  SpillTarget(String name, SpillPlan.Target plan, LambdaEndpoint endpoint) {
    this(name, plan, endpoint, new CallTimes(), new Refusals());
  }

  /** For the log. */
  @Override
  public String toString() {
    return "%s: %s at %s, at most %d call(s) outstanding"
        .formatted(
            name, plan.address().function(), plan.address().endpoint(), plan.maxOutstanding());
  }

  /** An answer came. */
  void ended(SpillAnswer answer) {
    switch (answer) {
      case SpillAnswer.Computed computed -> refusals.now = false;
      case SpillAnswer.NoDigest(Reason reason) -> {
        if (reason == Reason.MISCONFIGURED) {
          refusals.now = true; // the endpoint logs what AWS says of it
        } else if (reason == Reason.SEAL_REFUSED) {
          refusals.another(
              name, "does not open what we seal, or wants it sealed: keys or clocks differ");
        }
      }
    }
  }

  /** Whether the last that was heard is that credentials, permission, name or seal are wrong. */
  boolean misconfigured() {
    return refusals.now;
  }

  /** What only an operator can cure: seen in a metric, said in the log now and then. */
  static final class Refusals {
    private static final Logger LOG = Logger.getLogger(Spill.class);
    private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();

    private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());
    private volatile boolean now;

    private void another(String target, String what) {
      now = true;
      long next = nextLineNanos.get();
      long nanos = System.nanoTime();
      if (nanos - next >= 0 && nextLineNanos.compareAndSet(next, nanos + BETWEEN_LINES_NANOS)) {
        LOG.errorf("Spill target %s %s", target, what);
      }
    }
  }
}
