package dev.spillway.benchmarks.service;

import java.time.Duration;

/** How long the parts of the spike lab take. */
enum SpikeLength {
  FULL,
  QUICK,
  MINUTE;

  /** What all of it may take. Quick is three minutes; what ends late takes from the rest. */
  Duration budget() {
    return seconds(20 * 60, 168, 20 * 60);
  }

  Duration warmUp() {
    return seconds(30, 3, 2);
  }

  Duration before() {
    return seconds(15, 2, 2);
  }

  Duration spike() {
    return seconds(30, 6, 4);
  }

  Duration after() {
    return seconds(30, 2, 2);
  }

  /** Of the steps to find what a contender can take, at least; zero if that is not looked for. */
  Duration step() {
    return seconds(8, 2, 0);
  }

  /** How far apart a rate that held and one that did not may be. */
  double precision() {
    return this == FULL ? 1.05 : 1.15;
  }

  private Duration seconds(int full, int quick, int minute) {
    return Duration.ofSeconds(
        switch (this) {
          case FULL -> full;
          case QUICK -> quick;
          case MINUTE -> minute;
        });
  }
}
