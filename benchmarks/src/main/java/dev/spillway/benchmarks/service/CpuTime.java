package dev.spillway.benchmarks.service;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.time.Duration;

/** What a piece of work costs the thread that does it, the kernel's part included. */
final class CpuTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The clock is asked once in so many times: to ask it costs some tenths of a microsecond. */
  private static final int UNASKED = 16;

  /** What is never looked at need not be computed. */
  @SuppressWarnings("unused")
  private static volatile byte[] last;

  private CpuTime() {}

  /** Microseconds each time, over at least so much CPU time. */
  static double microsEach(Work work, Duration least) throws GeneralSecurityException {
    int times = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    long now;
    do {
      for (int i = 0; i < UNASKED; i++) {
        last = work.once();
      }
      times += UNASKED;
      now = THREADS.getCurrentThreadCpuTime();
    } while (now - start < least.toNanos());
    return (now - start) / 1e3 / times;
  }

  /** Something short. */
  @FunctionalInterface
  interface Work {
    byte[] once() throws GeneralSecurityException;
  }
}
