package dev.spillway.locallambda.environment;

import java.time.Duration;

/**
 * What a function may use.
 *
 * @param init how long an environment may take to ask for its first event
 * @param concurrency environments that may be busy or in init at once
 * @param idle how long a frozen environment is kept
 * @param reserved whether that is the function's own reservation or the account's limit
 * @param settle how long an answer waits for its environment, at most
 */
public record Limits(
    Duration init, int concurrency, Duration idle, boolean reserved, Duration settle) {
  public Limits {
    if (concurrency < 0) {
      throw new IllegalArgumentException("concurrency must not be negative: " + concurrency);
    }
    if (!init.isPositive() || !idle.isPositive() || !settle.isPositive()) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }
}
