package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.AddedRows;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        return Map.of(
            "spillway.tokens.algorithm",
            "EdDSA",
            "spillway.tokens.key-files",
            file(SigningAlgorithm.EDDSA)
                + ","
                + file(SigningAlgorithm.ES256)
                + ","
                + file(SigningAlgorithm.EDDSA));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Path file(SigningAlgorithm algorithm) throws IOException {
    Path file = Files.createTempFile(Path.of("target"), "key", ".pem");
    return Files.writeString(file, KeyPem.write(algorithm.generate()));
  }

  @Inject KeyRotation rotation;

  @ConfigProperty(name = "spillway.tokens.key-files")
  List<Path> files;

  @Override
  SigningAlgorithm algorithm() {
    return SigningAlgorithm.EDDSA;
  }

  @Override
  List<String> published() {
    return List.of("ES256", "EdDSA", "EdDSA");
  }

  /** The step before and the step after a rotation by hand: tokens of both keys are good. */
  @Test
  void keysOfOtherFiles_verifyAndNeverSign() throws Exception {
    List<Path> others = files.subList(1, files.size());
    for (Path other : others) {
      SigningAlgorithm algorithm =
          other.equals(others.getFirst()) ? SigningAlgorithm.ES256 : SigningAlgorithm.EDDSA;
      SigningKey old =
          SigningKey.proven(KeyPem.read(Files.readString(other), algorithm), algorithm);
      Map<String, Object> header =
          Map.of("alg", algorithm.joseName(), "kid", old.kid(), "typ", "JWT");
      String token = Forge.signed(header, Forge.claims(), algorithm, old.privateKey());
      assertThat(status(token, "/probe/me")).isEqualTo(200);
      assertThat(keys.signing()).isNotEqualTo(old);
    }
    assertThat(rotation.published())
        .extracting(PublishedKey::state)
        .containsExactly(KeyState.PUBLISHED, KeyState.PUBLISHED, KeyState.SIGNING);
  }

  /** RFC 8725, section 3.1: a key is for one algorithm, whatever else is published beside it. */
  @Test
  void keyUnderTheAlgorithmOfAnother_opensNothing() {
    Map<String, Object> header = Map.of("alg", "ES256", "kid", key.kid(), "typ", "JWT");
    String token = Forge.signed(header, Forge.claims(), SigningAlgorithm.EDDSA, key.privateKey());
    assertThat(status(token, "/probe/me")).isEqualTo(401);
  }

  @Test
  void rotation_isNotOurs() {
    assertThat(rotation.rotate(AddedRows.nothing())).isEqualTo(new Rotation.NotOurs());
    assertThat(keys.ring().keys()).hasSize(3);
  }

  @Test
  void key_isTheOneInTheFile() throws Exception {
    assertThat(key.publicKey())
        .isEqualTo(KeyPem.read(Files.readString(files.getFirst()), algorithm()).getPublic());
  }
}
