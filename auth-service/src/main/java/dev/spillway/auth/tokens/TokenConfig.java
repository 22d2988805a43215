package dev.spillway.auth.tokens;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What tokens say, how long they hold, and what they are signed with. */
@ConfigMapping(prefix = "spillway.tokens")
public interface TokenConfig {
  /**
   * Who issues: the URL under which clients reach this service. Other services compare it letter
   * for letter and find our keys below it, so every instance must have the same.
   */
  @WithDefault("http://localhost:8080")
  @Pattern(
      regexp = "https?://[^\\s?#]*[^\\s?#/]",
      message = "must be an http or https URL without query, fragment or slash at the end")
  String issuer();

  /** For whom tokens are meant. */
  @WithDefault("spillway")
  @NotBlank
  String audience();

  /**
   * How long a token is good for. Nobody can call one back, so it is short; a log-in every quarter
   * of an hour is what the hashes must pay for it. A day is the most.
   */
  @WithDefault("15m")
  @DurationMin(seconds = 1)
  @DurationMax(days = 1)
  Duration lifetime();

  /**
   * ES256, RS256 or EdDSA. ES256 is read by every library, and next to RS256 its signatures are
   * short and quickly made; EdDSA is quicker still, where the readers know it. Another one than
   * before begins a key rotation.
   */
  @WithDefault("ES256")
  @WithConverter(SigningAlgorithmConverter.class)
  SigningAlgorithm algorithm();

  /**
   * Files with a private key (PKCS#8) and its public key, both PEM. The first one signs; the others
   * are published only: the one that will sign next, and those whose tokens may still be good.
   * Without a file a key is made at the first start and kept in the database.
   */
  Optional<List<Path>> keyFiles();

  /**
   * How long a verifier may keep our keys, said in {@code Cache-Control}. Five minutes spare us
   * most requests; a new key waits for longer than this before it signs, so longer for verifiers
   * that keep keys for longer than they may.
   */
  @WithDefault("5m")
  @DurationMin(seconds = 1)
  @DurationMax(days = 1)
  Duration jwksMaxAge();

  /**
   * Refuses settings that do not fit together.
   *
   * @throws ConfigurationException says which
   */
  static void check(TokenConfig config) {
    RotationTimes.of(config);
    if (config.keyFiles().isPresent() && config.sealing().use().isPresent()) {
      throw new ConfigurationException(
          "spillway.tokens.sealing.use has nothing to seal: with spillway.tokens.key-files no key is"
              + " in the database");
    }
  }

  Rotation rotation();

  Sealing sealing();

  /** What private keys are encrypted with in the database. In clear, unless it is configured. */
  interface Sealing {
    /** Files with 32 bytes in base64, by a name that is stored beside what they have sealed. */
    Map<String, Path> keys();

    /** The one to seal with. Unset: what was sealed can be read, and nothing is. */
    Optional<String> use();
  }

  /** When keys in the database get successors. */
  interface Rotation {
    /**
     * The age at which a key gets a successor by itself. Never, unless it is set: what a verifier
     * does with a second key only its operator knows, who should see the first rotation by command.
     */
    Optional<@DurationMin(seconds = 1) @DurationMax(days = 3650) Duration> every();
  }
}
