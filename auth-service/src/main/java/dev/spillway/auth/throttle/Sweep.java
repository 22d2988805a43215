package dev.spillway.auth.throttle;

import dev.spillway.auth.database.Upkeep;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes tallies that say nothing any more: now and then, in the background, a few at a time. No
 * login waits for it, and a service without logins has nothing to delete.
 */
final class Sweep {
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int ROWS = 1_000;
  private static final int ROUNDS = 20;

  private final Tallies tallies;
  private final Upkeep upkeep;
  private final AtomicLong dueNanos = new AtomicLong(System.nanoTime());

  Sweep(Tallies tallies, Upkeep upkeep) {
    this.tallies = tallies;
    this.upkeep = upkeep;
  }

  void nowAndThen() {
    long due = dueNanos.get();
    long now = System.nanoTime();
    if (now - due >= 0 && dueNanos.compareAndSet(due, now + PAUSE.toNanos())) {
      Thread.ofVirtual().name("sweep-tallies").start(this::run);
    }
  }

  /** At most 20,000 rows; more wait for the next time. */
  void run() {
    upkeep.run(
        () -> {
          for (int round = 0; round < ROUNDS && tallies.sweep(ROWS) == ROWS; round++) {}
        });
  }
}
