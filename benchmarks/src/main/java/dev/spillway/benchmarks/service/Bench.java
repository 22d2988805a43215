package dev.spillway.benchmarks.service;

import java.time.Duration;

/** One question to the running service. */
interface Bench {
  /** What it asks, for {@code --help}. */
  String about();

  Options defaults();

  /** Length of a sample in a quick run. */
  Duration quickSample();

  void run(Options options, Report report) throws Exception;
}
