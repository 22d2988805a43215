package dev.spillway.lambda;

import dev.spillway.core.bcrypt.BcryptSetting;
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
   * Which engine computes: {@code lanes} (several digests interleaved in one thread) or {@code
   * spring} (spring-security-crypto, one at a time).
   */
  @WithDefault("spring")
  String engine();
}
