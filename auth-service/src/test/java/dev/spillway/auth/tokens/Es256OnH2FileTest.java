package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

  @Override
  SigningAlgorithm algorithm() {
    return SigningAlgorithm.ES256;
  }

  @Test
  void data_isInTheDirectory() {
    assertThat(dataDir.resolve("spillway.mv.db")).isNotEmptyFile();
  }
}
