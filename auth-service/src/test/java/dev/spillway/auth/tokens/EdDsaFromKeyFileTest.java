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

/** EdDSA, with a key that the operator brings. */
@QuarkusTest
@TestProfile(EdDsaFromKeyFileTest.WithKeyFile.class)
class EdDsaFromKeyFileTest extends TokensContract {
  public static class WithKeyFile implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      try {
        Path file = Files.createTempFile(Path.of("target"), "key", ".pem");
        Files.writeString(file, KeyPem.write(SigningAlgorithm.EDDSA.generate()));
        return Map.of(
            "spillway.tokens.algorithm", "EdDSA", "spillway.tokens.key-file", file.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @ConfigProperty(name = "spillway.tokens.key-file")
  Path file;

  @Override
  SigningAlgorithm algorithm() {
    return SigningAlgorithm.EDDSA;
  }

  @Test
  void key_isTheOneInTheFile() throws Exception {
    assertThat(key.publicKey())
        .isEqualTo(KeyPem.read(Files.readString(file), algorithm()).getPublic());
  }
}
