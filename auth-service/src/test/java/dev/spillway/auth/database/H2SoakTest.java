package dev.spillway.auth.database;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

@QuarkusTest
@TestProfile(H2SoakTest.InAFile.class)
class H2SoakTest extends SoakContract {
  /** As application.properties opens it. */
  public static class InAFile extends Service {
    @Override
    public String getConfigProfile() {
      return "soak";
    }

    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      try {
        Path data = Files.createTempDirectory(Path.of("target"), "soak");
        config.put("spillway.data-dir", data.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return config;
    }
  }

  @ConfigProperty(name = "spillway.data-dir")
  Path dataDir;

  @Override
  long size() throws IOException {
    return Files.size(dataDir.resolve("spillway.mv.db"));
  }
}
