package dev.spillway.benchmarks.service;

import java.util.Arrays;
import java.util.Optional;

/** Why the search for the most that a contender takes has ended. */
enum SearchEnd {
  /** As exactly as it was to be. */
  FOUND("found"),
  /** What has held may be far from the most, or nothing has held yet. */
  TIME_OVER("time over");

  private final String label;

  SearchEnd(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  static Optional<SearchEnd> of(String label) {
    return Arrays.stream(values()).filter(end -> end.label.equals(label)).findFirst();
  }
}
