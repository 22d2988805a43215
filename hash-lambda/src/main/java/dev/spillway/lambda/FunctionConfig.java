package dev.spillway.lambda;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.lanes.LaneDigestEngine;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The function's settings; set them as environment variables in template.yaml. */
@ConfigMapping(prefix = "spillway.function")
interface FunctionConfig {
  /**
   * Highest cost the function computes, {@value BcryptSetting#MIN_COST} to {@value
   * BcryptSetting#MAX_COST}. 15 takes two seconds of a whole vCPU; each step more doubles what a
   * hostile caller could spend.
   */
  @WithDefault("15")
  int maxCost();

  /** Digests not begun this long before the invocation times out are declined, not cut off. */
  @WithDefault("250ms")
  Duration reserve();

  /**
   * How long a ping is held, at most 1 s. While one is, those sent with it meet other environments,
   * so that as many are kept as pings are sent; within this time they must all have arrived, over
   * connections that may have to be opened first.
   */
  @WithDefault("100ms")
  Duration pingHold();

  /** Which engine computes. */
  @WithDefault("lanes")
  Engine engine();

  /**
   * Digests of one invocation that are computed side by side; 1 to {@value
   * LaneDigestEngine#MAX_LANES}.
   */
  @WithDefault("3")
  int lanes();

  /** The engines there are. */
  enum Engine {
    /** Several digests interleaved in one thread. */
    LANES,
    /** spring-security-crypto, one at a time. */
    SPRING
  }
}
