package dev.spillway.benchmarks.calibrate;

import java.time.Duration;

/** What there is to know of a machine before a cost is chosen for it. */
interface Machine {
  /** Measures one cost, with nothing else on the machine's mind. */
  Figures measure(int cost);

  /**
   * What one cost comes to.
   *
   * @param alone one hash while the machine is idle
   * @param underLoad what nine of ten hashes stay under while every lane is busy
   * @param hashesPerSecond of the whole pool, by the clock on the wall
   */
  record Figures(int cost, Duration alone, Duration underLoad, double hashesPerSecond) {}
}
