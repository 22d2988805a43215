package dev.spillway.benchmarks.service;

import java.util.Locale;

/**
 * What is going on, on stderr, with the seconds since the start. Bars only where a person looks.
 */
final class Progress {
  private static final long START = System.nanoTime();
  private static final int BAR = 24;
  private static final boolean TERMINAL = System.console() != null && System.console().isTerminal();

  private Progress() {}

  static void say(String format, Object... args) {
    System.err.printf(
        Locale.ROOT, "%5.0f s  %s%n", seconds(), String.format(Locale.ROOT, format, args));
  }

  /** Redraws one line, from 0 to 1. */
  static void bar(String label, double done, String text) {
    if (TERMINAL) {
      int full = (int) Math.round(BAR * Math.clamp(done, 0, 1));
      System.err.printf(
          Locale.ROOT,
          "\r\033[K%5.0f s  %-32s [%s%s] %s",
          seconds(),
          label,
          "#".repeat(full),
          ".".repeat(BAR - full),
          text);
    } else {
      say("%s: %3.0f %%, %s", label, 100 * Math.clamp(done, 0, 1), text);
    }
  }

  static void endBar() {
    if (TERMINAL) {
      System.err.println();
    }
  }

  private static double seconds() {
    return (System.nanoTime() - START) / 1e9;
  }
}
