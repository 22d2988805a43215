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

  /** One query; a key that somebody took out of the database is out of use after this. */
  private static final Duration SLOWEST_REFRESH = Duration.ofSeconds(30);

  /** How far the clocks of instances and verifiers may be apart. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  static RotationTimes of(TokenConfig config) {
    return of(config, CLOCK_TOLERANCE);
  }

  static RotationTimes of(TokenConfig config, Duration clockTolerance) {
    // A tenth of max-age: a rotation is a fifth longer than verifiers make it.
    Duration tenth = config.jwksMaxAge().dividedBy(10);
    Duration refresh = tenth.compareTo(SLOWEST_REFRESH) < 0 ? tenth : SLOWEST_REFRESH;
    Duration waiting = config.jwksMaxAge().plus(refresh.multipliedBy(2)).plus(ON_ITS_WAY);
    Duration overlap = config.lifetime().plus(clockTolerance);
    Optional<Duration> every = config.rotation().every();
    if (every.isPresent() && config.keyFiles().isPresent()) {
      throw new ConfigurationException(
          "spillway.tokens.rotation.every has nothing to rotate: with spillway.tokens.key-files the"
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
