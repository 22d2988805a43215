package dev.spillway.hashing.spill.target;

import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One function: how many calls it may have, and what is known of it.
 *
 * @param name the operator's, for metrics and for the transport
 * @param maxOutstanding calls outstanding at once
 */
public record SpillTarget(String name, int maxOutstanding, CallTimes times, Refusals refusals) {

  /** Nothing is known of it yet. */
  public SpillTarget(String name, int maxOutstanding) {
    this(name, maxOutstanding, new CallTimes(), new Refusals());
  }

  /** An answer came. */
  public void ended(SpillAnswer answer) {
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
  public boolean misconfigured() {
    return refusals.now;
  }

  /** What only an operator can cure: seen in a metric, said in the log now and then. */
  public static final class Refusals {
    private static final System.Logger LOG = System.getLogger("dev.spillway.hashing");
    private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();

    private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());
    private volatile boolean now;

    private void another(String target, String what) {
      now = true;
      long next = nextLineNanos.get();
      long nanos = System.nanoTime();
      if (nanos - next >= 0 && nextLineNanos.compareAndSet(next, nanos + BETWEEN_LINES_NANOS)) {
        LOG.log(System.Logger.Level.ERROR, "Spill target " + target + " " + what);
      }
    }
  }
}
