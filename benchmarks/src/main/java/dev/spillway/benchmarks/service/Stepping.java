package dev.spillway.benchmarks.service;

/**
 * Looks for the highest rate that holds: from a first guess up or down in strides until one rate
 * has held and one has not, then halfway between those, as ratios. A service that has just begun is
 * slow and a machine has bad moments, so in the end the lowest rate that was too much is tried once
 * more. Rates are logins a second.
 */
final class Stepping {
  /** Not even that being possible ends it. */
  static final double LEAST = 1;

  private final double first;
  private final double stride;
  private final double precision;
  private double held;
  private double tooMuch = Double.POSITIVE_INFINITY;
  private boolean confirmed;

  /**
   * @param stride how much higher than one that held the next rate is
   * @param precision how much higher than the rate that held the one that did not may be in the end
   */
  Stepping(double first, double stride, double precision) {
    this.first = Math.max(LEAST, first);
    this.stride = stride;
    this.precision = precision;
  }

  /** What to try now. */
  double next() {
    if (held == 0) {
      return tooMuch == Double.POSITIVE_INFINITY ? first : Math.max(LEAST, tooMuch / stride);
    }
    if (tooMuch == Double.POSITIVE_INFINITY) {
      return held * stride;
    }
    return close() ? tooMuch : Math.sqrt(held * tooMuch);
  }

  void tried(double rate, boolean hasHeld) {
    if (!hasHeld) {
      confirmed = rate == tooMuch;
      tooMuch = Math.min(tooMuch, rate);
    } else {
      held = Math.max(held, rate);
      if (rate >= tooMuch) {
        tooMuch = Double.POSITIVE_INFINITY;
      }
    }
  }

  boolean found() {
    return tooMuch <= LEAST || close() && confirmed;
  }

  /** The highest that held; 0 if none has. */
  double held() {
    return held;
  }

  /** The lowest that was too much; infinite if none was. */
  double tooMuch() {
    return tooMuch;
  }

  private boolean close() {
    return held > 0 && tooMuch <= held * precision;
  }
}
