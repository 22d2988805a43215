package dev.spillway.benchmarks.line;

/**
 * Who is let into the line before a pool, who is served next, and who is refused when. Times in ms.
 */
sealed interface Discipline {
  String label();

  /**
   * @param perSecond what the pool finishes, as measured
   */
  boolean admits(int waiting, double perSecond);

  /** How long who comes now may stand in line. */
  double patience(double now, double lastEmpty);

  boolean newestFirst(double now, double lastEmpty);

  /** Oldest first; who would wait longer than the bound is refused at once (Little's law). */
  record Bounded(double millis) implements Discipline {
    @Override
    public String label() {
      return "FIFO, bound %.0f ms".formatted(millis);
    }

    @Override
    public boolean admits(int waiting, double perSecond) {
      return waiting < perSecond * millis / 1000;
    }

    /** Departures may have become slower since. */
    @Override
    public double patience(double now, double lastEmpty) {
      return 2 * millis;
    }

    @Override
    public boolean newestFirst(double now, double lastEmpty) {
      return false;
    }
  }

  /**
   * Controlled delay with adaptive LIFO (Maurer, "Fail at Scale", ACM Queue 13(8), 2015): a line
   * that was not empty for an interval is a standing one. Who comes then waits for a small target
   * only, and the newest is served first.
   */
  record ControlledDelay(double interval, double target) implements Discipline {
    @Override
    public String label() {
      return "CoDel, adaptive LIFO, %.0f / %.0f ms".formatted(interval, target);
    }

    @Override
    public boolean admits(int waiting, double perSecond) {
      return true;
    }

    @Override
    public double patience(double now, double lastEmpty) {
      return newestFirst(now, lastEmpty) ? target : interval;
    }

    @Override
    public boolean newestFirst(double now, double lastEmpty) {
      return lastEmpty < now - interval;
    }
  }
}
