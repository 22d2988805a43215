package dev.spillway.auth.hashing.spend;

import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;

/**
 * Hashes spilled in the minute that the clock shows. It is looked at under the monitor: whoever was
 * held up after a look of its own would bring back a minute that is over, and forget what was
 * counted since.
 */
final class Minute {
  private static final long MILLIS = Duration.ofMinutes(1).toMillis();

  private final long most;
  private final InstantSource clock;

  // Guarded by this.
  private long number;
  private long spilled;

  /**
   * @param most hashes in a minute; at least 1
   */
  Minute(long most, InstantSource clock) {
    this.most = most;
    this.clock = clock;
  }

  synchronized long spilled() {
    long now = clock.millis() / MILLIS;
    if (now != number) {
      number = now;
      spilled = 0;
    }
    return spilled;
  }

  /** What is spilled of what may be. */
  double share() {
    return (double) spilled() / most;
  }

  /**
   * Counts one more; empty, and nothing has happened, if the share has reached {@code limit}.
   *
   * @return the number of the minute it counts in
   */
  synchronized OptionalLong add(double limit) {
    if (share() >= limit) {
      return OptionalLong.empty();
    }
    spilled++;
    return OptionalLong.of(number);
  }

  /** One that was counted was not spilled. */
  synchronized void takeBack(long countedIn) {
    if (spilled() > 0 && number == countedIn) {
      spilled--;
    }
  }
}
