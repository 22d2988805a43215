package dev.spillway.console.size;

/**
 * Price of the service's machine, by AWS Fargate's price list for Linux in us-east-1
 * (https://aws.amazon.com/fargate/pricing/, as of November 2026; docs/sizing.md, "Prices"): the one
 * in infra/auth-service.yaml. Elsewhere a core costs something else; the ratio is what counts.
 *
 * @param vcpuHour dollars
 * @param gigabyteHour dollars
 */
record FargatePrice(double vcpuHour, double gigabyteHour) {
  static final FargatePrice ARM64 = new FargatePrice(0.03238, 0.00356);
  static final FargatePrice X86_64 = new FargatePrice(0.04048, 0.004445);

  /** The least that Fargate has with a vCPU, and more than the service needs. */
  static final int GIGABYTES_PER_VCPU = 2;

  static final double HOURS_A_MONTH = 730;

  /** Dollars a month. */
  double perMonth(int vcpus) {
    return vcpus * (vcpuHour + GIGABYTES_PER_VCPU * gigabyteHour) * HOURS_A_MONTH;
  }
}
