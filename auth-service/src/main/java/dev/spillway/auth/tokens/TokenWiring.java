package dev.spillway.auth.tokens;

import dev.spillway.auth.database.Database;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/** Finds the signing key when the service starts, or ends the start. */
final class TokenWiring {
  private static final Logger LOG = Logger.getLogger(TokenWiring.class);

  @Produces
  @Singleton
  @Startup
  SigningKey signingKey(TokenConfig config, Database database) {
    String source = config.keyFile().map(file -> "key file " + file).orElse("database");
    try {
      SigningKey key =
          config.keyFile().isPresent()
              ? fromFile(config.keyFile().get(), config.algorithm())
              : new SigningKeyTable(database).load(config.algorithm());
      LOG.infof(
          "Tokens are signed with %s, key %s from %s",
          key.algorithm().joseName(), key.kid(), source);
      return key;
    } catch (IOException e) {
      // Without its cause: Quarkus then prints the message instead of a stack trace.
      throw new ConfigurationException("The %s cannot be read as text: %s".formatted(source, e));
    } catch (UnusableKeyException e) {
      throw new ConfigurationException(
          "The signing key in the %s cannot be used: %s".formatted(source, e.getMessage()));
    }
  }

  private static SigningKey fromFile(Path file, SigningAlgorithm algorithm)
      throws IOException, UnusableKeyException {
    return SigningKey.proven(KeyPem.read(Files.readString(file), algorithm), algorithm);
  }
}
