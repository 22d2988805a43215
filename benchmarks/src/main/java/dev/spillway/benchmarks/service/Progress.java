package dev.spillway.benchmarks.service;

import java.util.Locale;

/** What is going on, on stderr, with the seconds since the start. */
final class Progress {
  private static final long START = System.nanoTime();

  private Progress() {}

  static void say(String format, Object... args) {
    System.err.printf(
        Locale.ROOT,
        "%5.0f s  %s%n",
        (System.nanoTime() - START) / 1e9,
        String.format(Locale.ROOT, format, args));
  }
}
