package dev.spillway.auth.tokens;

import dev.spillway.auth.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Finds the signing keys when the service starts, or ends the start. */
@ApplicationScoped
class TokenWiring {
  private static final Logger LOG = Logger.getLogger(TokenWiring.class);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final TokenConfig config;
  private final RotationTimes times;
  private final Optional<SigningKeyTable> table;
  private final Clock clock = Clock.systemUTC();

  TokenWiring(TokenConfig config, Database database) {
    this.config = config;
    this.times = RotationTimes.of(config);
    this.table =
        config.keyFiles().isPresent()
            ? Optional.empty()
            : Optional.of(new SigningKeyTable(database, sealing(config), clock));
  }

  @Produces
  @Singleton
  @Startup
  SigningKeys signingKeys() {
    String source =
        config.keyFiles().map(files -> "key file " + files.getFirst()).orElse("database");
    try {
      SigningKeys keys =
          table.isPresent()
              ? new SigningKeys(() -> firstOr(table.get()), clock, times.freshFor())
              : fromFiles(config.keyFiles().orElseThrow());
      if (table.isPresent()) {
        int resealed = table.get().reseal();
        if (resealed > 0) {
          LOG.infof(
              "Sealed %d signing keys with %s", resealed, config.sealing().use().orElseThrow());
        }
      }
      SigningKey signing = keys.signing();
      LOG.infof(
          "Tokens are signed with %s, key %s from %s",
          signing.algorithm().joseName(), signing.kid(), source);
      return keys;
    } catch (IOException e) {
      // Without its cause: Quarkus then prints the message instead of a stack trace.
      throw new ConfigurationException("The %s cannot be read as text: %s".formatted(source, e));
    } catch (UnusableKeyException e) {
      throw new ConfigurationException(
          "The signing key in the %s cannot be used: %s".formatted(source, e.getMessage()));
    }
  }

  @Produces
  @Singleton
  RotationTimes times() {
    return times;
  }

  @Produces
  @Singleton
  KeyRotation rotation(SigningKeys keys, MeterRegistry meters) {
    return new KeyRotation(
        keys, table, times, () -> generate(config.algorithm()), new KeyMeters(meters, keys));
  }

  private static KeySealing sealing(TokenConfig config) {
    try {
      return KeySealing.of(config.sealing().keys(), config.sealing().use());
    } catch (IOException e) {
      throw new ConfigurationException("A file of spillway.tokens.sealing cannot be read: " + e);
    } catch (UnusableKeyException e) {
      throw new ConfigurationException("spillway.tokens.sealing cannot be used: " + e.getMessage());
    }
  }

  private SigningKeys fromFiles(List<Path> files) throws IOException, UnusableKeyException {
    KeyRing ring =
        KeyFiles.read(files.getFirst(), config.algorithm(), files.subList(1, files.size()));
    return new SigningKeys(() -> ring, clock, FOR_EVER);
  }

  /** On an empty table the first key signs at once: nobody has fetched any. */
  private KeyRing firstOr(SigningKeyTable table) throws UnusableKeyException {
    Optional<KeyRing> ring = table.read();
    if (ring.isEmpty()) {
      // Ours, or that of an instance that was a moment faster.
      table.append(generate(config.algorithm()), 0, Duration.ZERO, times.overlap());
      ring = table.read();
    }
    return ring.orElseThrow();
  }

  private static SigningKey generate(SigningAlgorithm algorithm) {
    try {
      return SigningKey.proven(algorithm.generate(), algorithm);
    } catch (UnusableKeyException e) {
      throw new IllegalStateException("a key just made", e);
    }
  }
}
