package dev.spillway.auth.database;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Work on a table that no request waits for, done again and again. Should it fail, nobody would
 * notice until the disk is full: each failure is counted, and one a minute is in the log.
 */
public final class Upkeep {
  private static final Logger LOG = Logger.getLogger(Upkeep.class);
  private static final long BETWEEN_WARNINGS_NANOS = Duration.ofMinutes(1).toNanos();

  private final String task;
  private final Counter failures;
  private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

  /**
   * @param task in a word, for the metric and the log
   */
  public Upkeep(String task, MeterRegistry registry) {
    this.task = task;
    this.failures =
        Counter.builder("spillway.upkeep.failures")
            .description("Failures of work that keeps tables small; it is done the next time")
            .tag("task", task)
            .register(registry);
  }

  /** Never throws. */
  public void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      failures.increment();
      long next = nextWarningNanos.get();
      long now = System.nanoTime();
      if (now - next >= 0 && nextWarningNanos.compareAndSet(next, now + BETWEEN_WARNINGS_NANOS)) {
        LOG.warnf(e, "Upkeep of the %s failed; it is done the next time", task);
      }
    }
  }
}
