package dev.spillway.auth.throttle;

import java.time.Duration;
import java.util.Comparator;

/**
 * What is counted under one key.
 *
 * @param failures wrong guesses in the window
 * @param reserved guesses under way that are paid for
 * @param windowEnds in milliseconds since 1970; when it is past, both counts are void
 * @param succeededAt in milliseconds since 1970; 0 if never
 */
record Tally(int failures, int reserved, long windowEnds, long succeededAt) {
  static final Tally NONE = new Tally(0, 0, 0, 0);

  private static final Comparator<Tally> ORDER =
      Comparator.comparingLong(Tally::windowEnds)
          .thenComparingLong(Tally::succeededAt)
          .thenComparingInt(Tally::failures)
          .thenComparingInt(Tally::reserved);

  boolean open(long nowMillis) {
    return windowEnds > nowMillis;
  }

  int failures(long nowMillis) {
    return open(nowMillis) ? failures : 0;
  }

  int taken(long nowMillis) {
    return open(nowMillis) ? failures + reserved : 0;
  }

  Duration leftOfWindow(long nowMillis) {
    return Duration.ofMillis(Math.max(0, windowEnds - nowMillis));
  }

  boolean succeededWithin(Duration time, long nowMillis) {
    return succeededAt > 0 && nowMillis - succeededAt < time.toMillis();
  }

  Tally succeeded(long nowMillis) {
    return new Tally(0, reserved, windowEnds, nowMillis);
  }

  /**
   * Whichever was read later, as far as that can be told: windows follow one another, in one of
   * them a success ends the count, and until the next failures only grow. Of two that have as many
   * failures, the one with more reserved: it admits fewer.
   */
  Tally later(Tally other) {
    return ORDER.compare(this, other) >= 0 ? this : other;
  }
}
