package dev.spillway.auth.hashing.pool;

import dev.spillway.core.lanes.LaneDigestEngine;
import dev.spillway.hashing.pool.HashPriority;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.OptionalInt;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The local pool. The defaults are argued in docs/capacity.md. */
@ConfigMapping(prefix = "spillway.pool")
public interface PoolConfig {
  /**
   * Hashing threads. Unset: every core this process may use if {@link #priority} lowers them, else
   * one fewer, at least one.
   */
  @Min(1)
  @Max(1024)
  OptionalInt threads();

  /** Which engine computes. */
  @WithDefault("lanes")
  Engine engine();

  /**
   * Hashes that each thread works on side by side. Unset: measured on this machine whenever nothing
   * is hashed, and 4 until then; 1 with the engine {@code spring}.
   */
  @Min(1)
  @Max(LaneDigestEngine.MAX_LANES)
  OptionalInt lanes();

  /**
   * How the operating system's scheduler treats hash threads: {@code lowered} (a normal share, but
   * threads that wake up run first) or {@code normal}.
   */
  @WithDefault("lowered")
  HashPriority priority();

  /**
   * How long a caller may stand in line before its work spills: more than 0, at most 10 s, and
   * shorter than {@code spillway.hashing.deadline}.
   */
  @DurationMin(nanos = 1)
  @DurationMax(seconds = 10)
  @WithDefault("25ms")
  Duration enqueueTimeout();

  /**
   * How long a login may stand in line altogether, before and after an attempt to spill: longer
   * than {@link #enqueueTimeout}, shorter than {@code spillway.hashing.deadline}. A login that
   * would have to wait longer is refused as soon as that is known.
   */
  @WithDefault("1s")
  Duration maxWait();

  /** The engines there are. */
  enum Engine {
    /** Several hashes interleaved in one thread; about twice the hashes for each core. */
    LANES,
    /** spring-security-crypto, one hash at a time. */
    SPRING
  }
}
