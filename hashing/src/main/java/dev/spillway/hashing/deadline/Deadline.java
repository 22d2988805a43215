package dev.spillway.hashing.deadline;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The moment after which nobody wants the answer any more. It travels with the work. It comes early
 * when the client goes away, and then wakes the thread that waits for it.
 */
public final class Deadline {
  private final LongSupplier nanoClock;
  private final long atNanos;
  private volatile boolean abandoned;

  /** Who is woken when the deadline comes early; guarded by this. */
  private Thread waiter;

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

  /** Nobody wants the answer any more: the deadline passes now. */
  public synchronized void abandon() {
    abandoned = true;
    if (waiter != null) {
      waiter.interrupt();
    }
  }

  /**
   * Runs what may be interrupted when the deadline comes early. Only this may: an interrupt that
   * met the thread on a database's socket would close the connection. Not to be nested.
   */
  public <T> T interruptibly(Supplier<T> wait) {
    synchronized (this) {
      waiter = Thread.currentThread();
      if (abandoned) {
        waiter.interrupt();
      }
    }
    try {
      return wait.get();
    } finally {
      synchronized (this) {
        waiter = null;
        if (abandoned) {
          Thread.interrupted(); // ours; it has done its work
        }
      }
    }
  }

  /** The shorter of {@code wait} and what is left. */
  public Duration limit(Duration wait) {
    Duration left = remaining();
    return wait.compareTo(left) < 0 ? wait : left;
  }
}
