package dev.spillway.lambda;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.lanes.LaneDigestEngine;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

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

  /** Settings of sealed passwords. */
  Sealing sealing();

  /** The keys come from Secrets Manager through template.yaml; docs/security.md argues the rest. */
  interface Sealing {
    /** The keys that may have been used, in the form of {@link dev.spillway.core.seal.SealKeys}. */
    Optional<String> keys();

    /** Whether a password that is not sealed is refused. */
    @WithDefault("false")
    boolean required();

    /**
     * How far the time of a seal may lie in the past or in the future, 1 s to 5 min. It has to
     * cover the time until a call arrives, a cold start included, and the difference of two clocks.
     * A recorded call can be repeated for as long.
     */
    @WithDefault("1m")
    Duration window();
  }

  /** The engine to compute with. */
  @WithDefault("lanes")
  Engine engine();

  /**
   * Digests of one invocation that are computed side by side; 1 to {@value
   * LaneDigestEngine#MAX_LANES}.
   */
  @WithDefault("4")
  int lanes();

  /** The engines. */
  enum Engine {
    /** Several digests interleaved in one thread. */
    LANES,
    /** spring-security-crypto, one at a time. */
    SPRING
  }
}
