package dev.spillway.auth.tokens;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a rotation takes: derived from what others were told, so that none of them is surprised.
 *
 * @param refresh at which every instance reads the keys again
 * @param waiting from a key's publication until it signs: until the last instance serves it (twice
 *     {@code refresh}) and the last verifier has fetched it again (max-age), with a second for
 *     answers on their way
 * @param overlap for which a key is published after its successor signs: until its last token has
 *     ended, for a clock that is slow
 * @param every after which a key gets a successor by itself
 */
record RotationTimes(
    Duration refresh, Duration waiting, Duration overlap, Optional<Duration> every) {
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

  static RotationTimes of(TokenConfig config) {
    Duration refresh = config.rotation().refresh();
    Duration least = config.jwksMaxAge().plus(refresh.multipliedBy(2)).plus(ON_ITS_WAY);
    Duration waiting = config.rotation().waitFor().orElse(least);
    if (waiting.compareTo(least) < 0) {
      throw new ConfigurationException(
          "spillway.tokens.rotation.wait must be at least %d s: spillway.tokens.jwks-max-age, twice"
                  .formatted(least.toSeconds())
              + " spillway.tokens.rotation.refresh, and a second");
    }
    Duration overlap = config.lifetime().plus(config.clockTolerance());
    Optional<Duration> every = config.rotation().every();
    if (every.isPresent() && config.keyFile().isPresent()) {
      throw new ConfigurationException(
          "spillway.tokens.rotation.every has nothing to rotate: with spillway.tokens.key-file the"
              + " keys are yours to change, see docs/tokens.md");
    }
    if (every.isPresent() && every.get().compareTo(waiting) <= 0) {
      throw new ConfigurationException(
          "spillway.tokens.rotation.every must be longer than the %d s that a key waits"
              .formatted(waiting.toSeconds()));
    }
    return new RotationTimes(refresh, waiting, overlap, every);
  }

  /** K1. */
  Duration freshFor() {
    return refresh.multipliedBy(2);
  }
}
