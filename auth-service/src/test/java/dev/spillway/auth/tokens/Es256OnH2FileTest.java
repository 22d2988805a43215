package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** As it comes: ES256, a key made at the first start, H2 in a file. */
@QuarkusTest
@TestProfile(Es256OnH2FileTest.AsShipped.class)
class Es256OnH2FileTest extends TokensContract {
  /** A profile of its own, for the one named test has its database in memory. */
  public static class AsShipped implements QuarkusTestProfile {
    @Override
    public String getConfigProfile() {
      return "shipped";
    }

    @Override
    public Map<String, String> getConfigOverrides() {
      try {
        Path data = Files.createTempDirectory(Path.of("target"), "data").resolve("new");
        return Map.of("spillway.data-dir", data.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @ConfigProperty(name = "spillway.data-dir")
  Path dataDir;

  @Inject Database database;

  @Override
  SigningAlgorithm algorithm() {
    return SigningAlgorithm.ES256;
  }

  /** What an operator does when a key has leaked. */
  @Test
  void keysDeletedFromTheTable_areReplacedByOneThatSignsAtOnce() throws Exception {
    String leaked = issue("ann", Set.of()).jwt();
    database.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("DELETE FROM signing_keys");
          }
        });
    keys.read(); // as the upkeep does at its interval

    assertThat(keys.signing()).isNotEqualTo(key);
    assertThat(keys.ring().keys()).hasSize(1);
    assertThat(status(leaked, "/probe/me")).isEqualTo(401);
    assertThat(status(issue("ann", Set.of()).jwt(), "/probe/me")).isEqualTo(200);
  }

  @Test
  void data_isInTheDirectory() {
    assertThat(dataDir.resolve("spillway.mv.db")).isNotEmptyFile();
  }
}
