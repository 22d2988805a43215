package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {
  @TempDir Path directory;

  @Test
  void oneFileSigns_theOthersAreOfAnyAlgorithm() throws Exception {
    Path signing = file("now", SigningAlgorithm.ES256);
    List<Path> others =
        List.of(
            file("next", SigningAlgorithm.EDDSA),
            file("last", SigningAlgorithm.RS256),
            file("older", SigningAlgorithm.ES256));

    KeyRing ring = KeyFiles.read(signing, SigningAlgorithm.ES256, others);

    assertThat(ring.signing(Instant.now()).key().publicKey())
        .isEqualTo(KeyPem.read(Files.readString(signing), SigningAlgorithm.ES256).getPublic());
    assertThat(ring.keys())
        .extracting(key -> key.key().algorithm())
        .containsExactly(
            SigningAlgorithm.EDDSA,
            SigningAlgorithm.RS256,
            SigningAlgorithm.ES256,
            SigningAlgorithm.ES256);
  }

  @Test
  void unusableFiles_areRefusedByName() throws Exception {
    Path signing = file("now", SigningAlgorithm.ES256);
    Path broken = Files.writeString(directory.resolve("broken"), "x");
    assertThatThrownBy(() -> KeyFiles.read(signing, SigningAlgorithm.RS256, List.of()))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("now");
    assertThatThrownBy(() -> KeyFiles.read(signing, SigningAlgorithm.ES256, List.of(broken)))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("broken");
    assertThatThrownBy(() -> KeyFiles.read(signing, SigningAlgorithm.ES256, List.of(signing)))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("the same key");
    assertThatThrownBy(
            () ->
                KeyFiles.read(signing, SigningAlgorithm.ES256, List.of(directory.resolve("none"))))
        .isInstanceOf(NoSuchFileException.class);
  }

  private Path file(String name, SigningAlgorithm algorithm) throws Exception {
    return Files.writeString(directory.resolve(name), KeyPem.write(algorithm.generate()));
  }
}
