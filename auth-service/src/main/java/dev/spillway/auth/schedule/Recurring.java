package dev.spillway.auth.schedule;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Work that is done again and again, on a virtual thread of its own, each time so long after the
 * last time ended. It is never interrupted: an interrupt in a driver closes more than a connection.
 */
public final class Recurring implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Recurring.class);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  private Recurring(String name, Duration first, Duration interval, Runnable work) {
    this.thread =
        Thread.ofVirtual().name(name).start(() -> run(name, first.toNanos(), interval, work));
  }

  /** For the first time after one interval. */
  public static Recurring every(String name, Duration interval, Runnable work) {
    return new Recurring(name, interval, interval, work);
  }

  /** For the first time at once. */
  public static Recurring fromNow(String name, Duration interval, Runnable work) {
    return new Recurring(name, Duration.ZERO, interval, work);
  }

  private void run(String name, long firstNanos, Duration interval, Runnable work) {
    try {
      long wait = firstNanos;
      while (!ended.await(wait, TimeUnit.NANOSECONDS)) {
        wait = interval.toNanos();
        try {
          work.run();
        } catch (RuntimeException e) {
          LOG.errorf(e, "%s failed; it is done the next time", name);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does not begin again; what is being done goes on. */
  @Override
  public void close() {
    ended.countDown();
  }

  /**
   * Does not begin again, and waits for what is being done.
   *
   * @return whether it has ended
   */
  public boolean close(Duration patience) throws InterruptedException {
    close();
    return thread.join(patience);
  }
}
