package dev.spillway.auth.tokens;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What tokens say, how long they hold, and what they are signed with. */
@ConfigMapping(prefix = "spillway.tokens")
interface TokenConfig {
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
   * short and quickly made; EdDSA is quicker still, where the readers know it.
   */
  @WithDefault("ES256")
  @WithConverter(SigningAlgorithmConverter.class)
  SigningAlgorithm algorithm();

  /**
   * A file with the private key (PKCS#8) and the public key, both PEM. Without it a key is made at
   * the first start and kept in the database.
   */
  Optional<Path> keyFile();
}
