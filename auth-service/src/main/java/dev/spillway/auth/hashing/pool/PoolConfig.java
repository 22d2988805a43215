package dev.spillway.auth.hashing.pool;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.OptionalInt;

/** The local pool. The defaults are argued in docs/capacity.md. */
@ConfigMapping(prefix = "spillway.pool")
public interface PoolConfig {
  /** Hashing threads. Unset: one fewer than the cores this process may use, at least one. */
  @Min(1)
  @Max(1024)
  OptionalInt threads();

  /**
   * How long a caller may stand in line before its work spills: more than 0, at most 10 s, and
   * shorter than {@code spillway.hashing.deadline}.
   */
  @WithDefault("25ms")
  Duration enqueueTimeout();

  /**
   * Refuse a caller at once when its wait is known to exceed the enqueue timeout, from the running
   * estimate of what a hash takes.
   */
  @WithDefault("true")
  boolean refuseKnownWaits();
}
