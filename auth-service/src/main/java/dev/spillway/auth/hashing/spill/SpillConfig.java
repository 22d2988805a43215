package dev.spillway.auth.hashing.spill;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Where hashing spills to. The defaults are argued in docs/capacity.md. */
@ConfigMapping(prefix = "spillway.spill")
public interface SpillConfig {
  /**
   * The functions, each under a name of the operator's that stands in metrics. Without any, nothing
   * spills and the pool serves alone.
   */
  Map<String, Target> targets();

  /** How long a connection may take to open; a Lambda endpoint in the same region needs 10 ms. */
  @WithDefault("1s")
  Duration connectTimeout();

  /** One function. */
  interface Target {
    /** Its name, {@code name:alias} or ARN, as the stack's output says it. */
    String function();

    /** AWS region; may be left out when {@link #function} is an ARN. */
    Optional<String> region();

    /** Base address of the Invoke API; AWS's for the region unless set. */
    Optional<URI> endpoint();

    /**
     * Calls outstanding at once, to be no more than the function's reserved concurrency: what
     * exceeds it is answered 429 anyway, after a round trip. It bounds what a spike can spend.
     */
    @WithDefault("50")
    @Min(1)
    @Max(10_000)
    int maxOutstanding();
  }
}
