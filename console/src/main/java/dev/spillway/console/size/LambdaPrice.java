package dev.spillway.console.size;

import java.time.Duration;

/**
 * Price of a function, by AWS Lambda's price list for us-east-1
 * (https://aws.amazon.com/lambda/pricing/, as of November 2026; docs/sizing.md, "Prices").
 *
 * @param gigabyteSecond dollars
 * @param request dollars
 * @param megabytes memory; 1,769 is one vCPU
 */
public record LambdaPrice(double gigabyteSecond, double request, int megabytes) {
  public static final LambdaPrice ARM64 = new LambdaPrice(0.0000133334, 0.20 / 1_000_000, 1769);
  public static final LambdaPrice X86_64 = new LambdaPrice(0.0000166667, 0.20 / 1_000_000, 1769);

  /** Dollars for one login, billed for {@code hash}. */
  public double perLogin(Duration hash) {
    return environmentSeconds(hash.toNanos() / 1e9) + request;
  }

  /** Logins that one dollar buys, each billed for {@code hash}. */
  public double loginsPerDollar(Duration hash) {
    return 1 / perLogin(hash);
  }

  /**
   * Dollars for so many environments that compute logins of {@code hash} for an hour without a
   * pause.
   */
  double busyHour(int environments, Duration hash) {
    return environments * 3600 / (hash.toNanos() / 1e9) * perLogin(hash);
  }

  private double environmentSeconds(double seconds) {
    return seconds * megabytes / 1024.0 * gigabyteSecond;
  }
}
