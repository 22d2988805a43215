package dev.spillway.benchmarks.overload;

import java.time.Duration;
import java.util.List;

/**
 * One run of the generator.
 *
 * @param rampNanos from the start until figures count
 * @param windowNanos for so long they do; then no more logins come
 * @param logins of users whose password this is
 */
public record Plan(
    int port,
    long rampNanos,
    long windowNanos,
    List<Traffic> traffic,
    List<String> logins,
    String password) {
  /** How long a client waits for its answer before it goes away. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  long lengthNanos() {
    return rampNanos + windowNanos;
  }
}
