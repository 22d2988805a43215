package dev.spillway.hashing.spill.call;

import dev.spillway.hashing.spill.balance.Choice;
import dev.spillway.hashing.spill.balance.Ticket;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets jobs that come in quick succession leave in one call: the function computes several side by
 * side for little more than the price of one.
 */
final class Gathering {
  /*
   * Invariants, pinned by the tests that carry their numbers in GatheringTest:
   *
   *   G1  A job leaves at once and alone unless the jobs before it came, on average, less than
   *       EXPECTED apart. So a lone login never waits.
   *   G2  A call leaves when it is full, and LONGEST after its first job at the latest.
   *   G3  Every call that was opened leaves once.
   *
   * The bounds are argued in docs/balancing.md.
   */
  private static final Duration EXPECTED = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofMillis(10);

  /** A pause counts for no more, so that a quiet night is forgotten as soon as a quiet minute. */
  private static final long LONGEST_GAP_NANOS = 1_000_000_000;

  private final Supplier<Choice> slots;
  private final Function<Ticket, Call> calls;
  private final int maxGroup;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** The call that gathers; null if none does. Guarded by {@code lock}, as what follows. */
  private Call open;

  private double gapNanos = LONGEST_GAP_NANOS;
  private long lastNanos;

  /**
   * @param slots takes one
   * @param calls makes the call for it
   * @param maxGroup jobs of a call
   * @param nanoClock as {@link System#nanoTime}
   */
  Gathering(
      Supplier<Choice> slots, Function<Ticket, Call> calls, int maxGroup, LongSupplier nanoClock) {
    this.slots = slots;
    this.calls = calls;
    this.maxGroup = maxGroup;
    this.nanoClock = nanoClock;
    this.lastNanos = nanoClock.getAsLong() - LONGEST_GAP_NANOS;
  }

  /**
   * The job is in a call that has left or will within {@link #LONGEST}, or nothing has happened.
   */
  Choice send(SpillJob job) {
    Call leaving = null;
    Choice choice;
    lock.lock();
    try {
      boolean more = moreExpected() && maxGroup > 1;
      if (open != null) {
        choice = new Choice.Taken(open.ticket());
        open.add(job);
        if (open.size() >= maxGroup) {
          leaving = open;
          open = null;
        }
      } else {
        choice = slots.get();
        if (choice instanceof Choice.Taken(Ticket ticket)) {
          Call call = calls.apply(ticket);
          call.add(job);
          if (more) {
            open = call;
            Thread.startVirtualThread(() -> leave(call));
          } else {
            leaving = call;
          }
        }
      }
    } finally {
      lock.unlock();
    }
    if (leaving != null) {
      leaving.start();
    }
    return choice;
  }

  /** Counts a job. A rush shows after some forty jobs, its end after one. */
  boolean moreExpected() {
    long now = nanoClock.getAsLong();
    gapNanos += (Math.min(now - lastNanos, LONGEST_GAP_NANOS) - gapNanos) / 8;
    lastNanos = now;
    return gapNanos < EXPECTED.toNanos();
  }

  private void leave(Call call) {
    try {
      Thread.sleep(LONGEST);
    } catch (InterruptedException e) {
      // Nobody interrupts it; if somebody did, the call leaves early.
      Thread.currentThread().interrupt();
    }
    lock.lock();
    try {
      if (open != call) {
        return;
      }
      open = null;
    } finally {
      lock.unlock();
    }
    call.start();
  }
}
