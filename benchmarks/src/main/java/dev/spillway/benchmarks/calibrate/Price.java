package dev.spillway.benchmarks.calibrate;

import java.time.Duration;

/**
 * What a function costs, by AWS Lambda's price list for us-east-1, 2026.
 *
 * @param gigabyteSecond dollars
 * @param request dollars
 * @param megabytes memory; 1,769 is one vCPU
 */
record Price(double gigabyteSecond, double request, int megabytes) {
  static final Price ARM64 = new Price(0.0000133334, 0.20 / 1_000_000, 1769);

  /** Logins that one dollar buys, each billed for {@code hash}. */
  double loginsPerDollar(Duration hash) {
    double seconds = hash.toNanos() / 1e9;
    return 1 / (seconds * megabytes / 1024.0 * gigabyteSecond + request);
  }
}
