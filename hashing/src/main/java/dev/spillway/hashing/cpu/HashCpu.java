package dev.spillway.hashing.cpu;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The CPU time of hash threads: what they had, what they wanted, and what they may take of a quota.
 * A control group that has used up its quota is stopped as a whole until the period ends, event
 * loops too. So hash threads pause by themselves, for a few milliseconds at a time, before all
 * threads of this process together have used it up: they take what the others leave.
 */
public final class HashCpu {
  /*
   * Invariants, each pinned by the test that carries its number in HashCpuTest:
   *
   *   C1  In any span of time, hash threads and the rest of the process together take at most the
   *       allowed cores times that span and PAUSE_NANOS, and two chunks each, as long as the rest
   *       alone keeps within it.
   *   C2  Nobody pauses while no limit is set, nor later for what was taken then.
   *   C3  What was not taken is not saved up: after an hour of rest C1 holds as before.
   *   C4  had <= wanted, and a pause is among what was wanted.
   *   C5  Whatever the rest of the process takes for long, hash threads may take the part FLOOR of
   *       the allowed cores.
   *
   * The lock is for hash threads only, and for a few steps; a clock that stands under it is read by
   * one thread at a time.
   */

  /** Shorter ones cost more switches than they are worth. */
  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

  private static final double FLOOR = 0.5;

  /** What the rest may take above its part before hash threads no longer give way to it. */
  private static final long BURST_NANOS = Duration.ofMillis(200).toNanos();

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final LongSupplier clock;
  private final LongSupplier threadClock;
  private final LongSupplier processClock;
  private final LongConsumer pause;
  private final LongAdder hadNanos = new LongAdder();
  private final LongAdder wantedNanos = new LongAdder();
  private final LongAdder pausedNanos = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();

  /** When all that was taken will have been allowed, by {@link #clock}. */
  private long paidUntil;

  private long chargedAt;
  private long chargedHad;
  private long chargedProcess;
  private double restMayTake;

  private volatile double allowedCores = Double.POSITIVE_INFINITY;

  public HashCpu() {
    this(System::nanoTime, threadClock(), ProcessClock.create(), LockSupport::parkNanos);
  }

  /**
   * @param processClock without one, hash threads are all that counts
   */
  HashCpu(
      LongSupplier clock,
      LongSupplier threadClock,
      Optional<LongSupplier> processClock,
      LongConsumer pause) {
    this.clock = clock;
    this.threadClock = threadClock;
    this.processClock = processClock.orElse(hadNanos::sum);
    this.pause = pause;
  }

  /** From now on, to the whole process; infinite for no limit. */
  void allow(double cores) {
    if (cores == allowedCores) {
      return;
    }
    lock.lock();
    try {
      chargedAt = clock.getAsLong();
      paidUntil = chargedAt;
      chargedHad = hadNanos.sum();
      chargedProcess = processClock.getAsLong();
      restMayTake = cores * BURST_NANOS;
      allowedCores = cores;
    } finally {
      lock.unlock();
    }
  }

  /** CPU time that hash threads had. */
  Duration had() {
    return Duration.ofNanos(hadNanos.sum());
  }

  /** Time in which hash threads had work. */
  Duration wanted() {
    return Duration.ofNanos(wantedNanos.sum());
  }

  /** Time that hash threads paused. */
  Duration paused() {
    return Duration.ofNanos(pausedNanos.sum());
  }

  /** For one hash thread, and touched by it only. */
  public Meter meter() {
    return new Meter();
  }

  /** The account of one hash thread. */
  public final class Meter {
    private long sinceNanos;
    private long sinceCpuNanos;

    /** From here on the thread has work. */
    public void begin() {
      sinceNanos = clock.getAsLong();
      sinceCpuNanos = threadClock.getAsLong();
    }

    /** Between chunks of work: counts the last one, and pauses if too much was taken. */
    public void lap() {
      count();
      double cores = allowedCores;
      if (cores == Double.POSITIVE_INFINITY) {
        return;
      }
      long from = sinceNanos;
      long ahead = charge(cores) - from;
      if (ahead >= PAUSE_NANOS) {
        pause.accept(ahead);
        pausedNanos.add(clock.getAsLong() - from);
        count();
      }
    }

    /** The thread has no work. */
    public void end() {
      count();
    }

    private void count() {
      long now = clock.getAsLong();
      long cpu = threadClock.getAsLong();
      long used = Math.min(cpu - sinceCpuNanos, now - sinceNanos);
      hadNanos.add(used);
      wantedNanos.add(now - sinceNanos);
      sinceNanos = now;
      sinceCpuNanos = cpu;
    }
  }

  /** Charges what was taken since the last time; returns when that will have been allowed. */
  private long charge(double cores) {
    lock.lock();
    try {
      long now = clock.getAsLong();
      long had = hadNanos.sum();
      long process = processClock.getAsLong();
      restMayTake =
          Math.min(cores * BURST_NANOS, restMayTake + (1 - FLOOR) * cores * (now - chargedAt));
      double rest = Math.min(process - chargedProcess - (had - chargedHad), restMayTake);
      restMayTake -= rest;
      // From the last charge at the earliest, so that a pause that ended late costs nothing.
      long begin = paidUntil - chargedAt > 0 ? paidUntil : chargedAt;
      paidUntil = begin + (long) ((had - chargedHad + rest) / cores);
      chargedAt = now;
      chargedHad = had;
      chargedProcess = process;
      return paidUntil;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where a thread's CPU time cannot be had, the clock on the wall: all that was wanted, was had.
   */
  private static LongSupplier threadClock() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS::getCurrentThreadCpuTime
        : System::nanoTime;
  }
}
