package dev.spillway.auth.hashing.spend;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.math.BigDecimal;

/** What spilling may cost. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.spend")
public interface SpendConfig {
  /** Most money that all instances spend in an hour of UTC, in the currency of the prices. */
  @DecimalMin("0.000001")
  @DecimalMax("1000000")
  @WithDefault("5.00")
  BigDecimal perHour();

  /** Most money that all instances spend in a day of UTC. */
  @DecimalMin("0.000001")
  @DecimalMax("1000000")
  @WithDefault("25.00")
  BigDecimal perDay();

  /**
   * Price of a second of a call: the price of a gigabyte-second, times the memory of the functions
   * in gigabytes. The default is that of 1,769 MB on arm64 in most regions.
   */
  @DecimalMin("0")
  @DecimalMax("1000")
  @WithDefault("0.0000230337")
  BigDecimal secondPrice();
}
