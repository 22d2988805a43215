package dev.spillway.auth.hashing.spill;

import dev.spillway.core.wire.DigestRequest;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
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
   * How long a connection may take to open: more than 0, at most 10 s. A Lambda endpoint in the
   * same region needs 10 ms, one across an ocean 200 ms; a lost packet costs a second.
   */
  @WithDefault("1s")
  Duration connectTimeout();

  /**
   * How long a target is left alone after three failures in a row, and how long one failed call
   * counts as load; at least 1 ms. It doubles with every probe that fails. One second is what a
   * handful of calls take: enough that a broken target is no longer attractive, little enough that
   * a deployment's hiccup is over when it is.
   */
  @WithDefault("1s")
  Duration coolDown();

  /**
   * What the cool-down doubles up to, at most 10 min, and how long a target that answers 403 or 404
   * is left alone. Two probes a minute cost nothing, and find a region that is back soon enough.
   */
  @WithDefault("30s")
  Duration longestCoolDown();

  /**
   * Second calls, on another target, for each hundred first ones, 0 to 100. A target that fails one
   * call in ten is made up for; a region that is down does not double the load on the others.
   */
  @Min(0)
  @Max(100)
  @WithDefault("10")
  int retryPercent();

  /**
   * How long a job may wait for a slot when all are taken, at most 1 s; 0 for not at all. As long
   * as it stood in line for the pool before. With 50 calls of 250 ms outstanding a slot frees every
   * 5 ms, so five do in that time; and whoever gets none has lost a two-hundredth of its deadline.
   */
  @WithDefault("25ms")
  Duration groupWait();

  /**
   * Jobs that wait and then share one slot, and one invocation. As many as the function computes
   * side by side: its lanes. More would compute one after the other while other slots free.
   */
  @Min(1)
  @Max(DigestRequest.MAX_JOBS)
  @WithDefault("3")
  int maxGroup();

  /**
   * What passwords are sealed with on their way; without it they travel as TLS alone hides them.
   */
  Sealing sealing();

  /**
   * The keys, in the form of {@link dev.spillway.core.seal.SealKeys}. The functions have the same
   * ones.
   */
  interface Sealing {
    /** The keys themselves, for a secret store that hands secrets out as environment variables. */
    Optional<String> keys();

    /** A file with the keys, for one that hands them out as files. */
    Optional<Path> keysFile();

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
