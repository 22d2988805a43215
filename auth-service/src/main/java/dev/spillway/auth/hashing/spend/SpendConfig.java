package dev.spillway.auth.hashing.spend;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.math.BigDecimal;

/** What spilling may cost. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.spend")
public interface SpendConfig {
  /** Whether anything may spill at all; an admin can say no at any time. */
  @WithDefault("true")
  boolean enabled();

  /** Most hashes that this instance spills in a minute. */
  @Min(1)
  @Max(10_000_000)
  @WithDefault("60000")
  long perMinute();

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
   * From this share of a ceiling on, in percent, accounts and networks with wrong guesses do not
   * spill; from half way between it and the ceiling on, only accounts that are at home do.
   */
  @Min(1)
  @Max(100)
  @WithDefault("80")
  int nearPercent();

  /** Memory of the functions, in megabytes. */
  @Min(128)
  @Max(10_240)
  @WithDefault("1769")
  int memoryMegabytes();

  /** Price of a gigabyte of memory for a second. */
  @DecimalMin("0")
  @DecimalMax("1000")
  @WithDefault("0.0000133334")
  BigDecimal gigabyteSecondPrice();

  /** Price of a call besides. */
  @DecimalMin("0")
  @DecimalMax("1000")
  @WithDefault("0.0000002")
  BigDecimal callPrice();
}
