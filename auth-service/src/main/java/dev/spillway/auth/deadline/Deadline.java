package dev.spillway.auth.deadline;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The moment after which nobody wants the answer any more. It travels with the work. It comes early
 * when the client goes away.
 */
public final class Deadline {
  private final LongSupplier nanoClock;
  private final long atNanos;
  private volatile boolean abandoned;

  private Deadline(LongSupplier nanoClock, long atNanos) {
    this.nanoClock = nanoClock;
    this.atNanos = atNanos;
  }

  /** The deadline {@code from now} on, by {@link System#nanoTime}. */
  public static Deadline in(Duration fromNow) {
    return in(fromNow, System::nanoTime);
  }

  /**
   * @param nanoClock as {@link System#nanoTime}
   */
  public static Deadline in(Duration fromNow, LongSupplier nanoClock) {
    return new Deadline(nanoClock, nanoClock.getAsLong() + fromNow.toNanos());
  }

  /** What is left; zero once it has passed, never negative. */
  public Duration remaining() {
    return abandoned
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, atNanos - nanoClock.getAsLong()));
  }

  public boolean passed() {
    return abandoned || atNanos - nanoClock.getAsLong() <= 0;
  }

  /** Whether it came early. */
  public boolean abandoned() {
    return abandoned;
  }

  /** Nobody waits any more: the deadline passes now. */
  public void abandon() {
    abandoned = true;
  }

  /** The shorter of {@code wait} and what is left. */
  public Duration limit(Duration wait) {
    Duration left = remaining();
    return wait.compareTo(left) < 0 ? wait : left;
  }
}
