package dev.spillway.auth.hashing.spill;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Where hashing spills to, and how. The defaults are argued in docs/balancing.md. */
@ConfigMapping(prefix = "spillway.spill")
@Workable
public interface SpillConfig {
  /**
   * The functions, each under a name of the operator's that stands in metrics. Without any, nothing
   * spills and the pool serves alone.
   */
  Map<String, Target> targets();

  /**
   * What passwords are sealed with on their way; without it they travel as TLS alone hides them.
   */
  Sealing sealing();

  /**
   * The keys, in the form of {@link dev.spillway.core.seal.SealKeys}. The functions have the same
   * ones.
   */
  interface Sealing {
    /** The keys themselves, from a secret store, as an environment variable. */
    Optional<String> keys();

    /** Id of the key to seal with. */
    Optional<String> use();
  }

  /** One function. */
  interface Target {
    /** Its name, {@code name:alias} or ARN, as the stack's output says it. */
    String function();

    /** AWS region; may be left out when an ARN says it. */
    Optional<String> region();

    /** Base address of the Invoke API; AWS's for the region unless set. */
    Optional<URI> endpoint();

    /**
     * Calls outstanding at once, to be no more than the function's reserved concurrency divided by
     * the instances of this service: what exceeds it is answered 429 anyway, after a round trip. It
     * bounds what a spike can spend, and how many execution environments a burst against a cold
     * function opens.
     */
    @WithDefault("50")
    @Min(1)
    @Max(10_000)
    int maxOutstanding();
  }
}
