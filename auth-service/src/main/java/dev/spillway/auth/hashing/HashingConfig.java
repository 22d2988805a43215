package dev.spillway.auth.hashing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** What is hashed and how long it may take. The defaults are argued in docs/capacity.md. */
@ConfigMapping(prefix = "spillway.hashing")
public interface HashingConfig {
  /** Cost of new hashes, and of the decoy that unknown logins are measured against. */
  @Min(4)
  @Max(31)
  @WithDefault("12")
  int cost();

  /** Highest cost that is verified at all; a stored hash above it cannot be verified. */
  @Min(4)
  @Max(31)
  @WithDefault("15")
  int maxCost();

  /** From the arrival of a request to the last moment at which its answer is worth anything. */
  @WithDefault("5s")
  Duration deadline();

  /**
   * Whether a right password is hashed anew where its stored hash is of a lower cost than {@link
   * #cost}, of another prefix than {@code $2b$}, or not of the password's NFC: after the answer,
   * with capacity nobody else wants.
   */
  @WithDefault("true")
  boolean rehash();

  /**
   * Whether a password over 72 bytes is cut to 72 against an imported hash, as the system it was
   * imported from may have done. Off: such a password is wrong.
   */
  @WithDefault("false")
  boolean truncateForLegacy();
}
