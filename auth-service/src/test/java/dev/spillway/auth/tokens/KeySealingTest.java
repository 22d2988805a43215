package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySealingTest {
  @TempDir Path directory;

  @Test
  void sealed_isOpenedByTheSameKey() throws Exception {
    KeySealing sealing = KeySealing.of(Map.of("a", file("a", 32)), Optional.of("a"));
    String text = KeyPem.write(SigningAlgorithm.RS256.generate());

    String sealed = sealing.seal(text, "kid");

    assertThat(sealing.use()).contains("a");
    assertThat(sealing.open(sealed, "a", "kid")).isEqualTo(text);
    assertThat(sealing.seal(text, "kid")).as("another nonce each time").isNotEqualTo(sealed);
    assertThat(
            new String(
                Base64.getDecoder().decode(sealed), java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("PRIVATE KEY");
    assertThat(sealed.length()).as("fits its column").isLessThan(8192);
  }

  @Test
  void alteredOrMisplaced_isRefused() throws Exception {
    KeySealing sealing =
        KeySealing.of(Map.of("a", file("a", 32), "b", file("b", 32)), Optional.of("a"));
    String sealed = sealing.seal("text", "kid");
    byte[] bytes = Base64.getDecoder().decode(sealed);

    refused(sealing, sealed, "a", "other kid", "was not sealed with");
    refused(sealing, sealed, "b", "kid", "was not sealed with");
    refused(sealing, sealed, "c", "kid", "there is no spillway.tokens.sealing.keys.c");
    refused(sealing, "text", "a", "kid", "was not sealed with");
    refused(sealing, "*", "a", "kid", "was not sealed with");
    refused(sealing, "", "a", "kid", "was not sealed with");
    for (int i = 0; i < bytes.length; i++) {
      byte[] altered = bytes.clone();
      altered[i] ^= 1;
      refused(
          sealing, Base64.getEncoder().encodeToString(altered), "a", "kid", "was not sealed with");
    }
  }

  @Test
  void withoutUse_newKeysStayInClear() throws Exception {
    Path key = file("a", 32);
    String sealed = KeySealing.of(Map.of("a", key), Optional.of("a")).seal("text", "kid");
    KeySealing reader = KeySealing.of(Map.of("a", key), Optional.empty());

    assertThat(reader.seal("text", "kid")).isEqualTo("text");
    assertThat(reader.open("text", null, "kid")).isEqualTo("text");
    assertThat(reader.open(sealed, "a", "kid")).isEqualTo("text");
    assertThat(KeySealing.none().seal("text", "kid")).isEqualTo("text");
    refused(KeySealing.none(), sealed, "a", "kid", "there is no spillway.tokens.sealing.keys.a");
  }

  @Test
  void unusableFiles_areRefused() throws Exception {
    unusable(Map.of("a", file("short", 31)), Optional.of("a"), "31 bytes instead of 32");
    unusable(
        Map.of("a", Files.writeString(directory.resolve("text"), "*")),
        Optional.of("a"),
        "not base64");
    unusable(Map.of("a", file("a", 32)), Optional.of("b"), "sealing.keys.b");
    unusable(Map.of(), Optional.of("b"), "sealing.keys.b");
    assertThatThrownBy(
            () -> KeySealing.of(Map.of("a", directory.resolve("none")), Optional.of("a")))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static void unusable(Map<String, Path> files, Optional<String> use, String why) {
    assertThatThrownBy(() -> KeySealing.of(files, use))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining(why);
  }

  private static void refused(
      KeySealing sealing, String text, String sealedWith, String kid, String why) {
    assertThatThrownBy(() -> sealing.open(text, sealedWith, kid))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining(why);
  }

  private Path file(String name, int bytes) throws Exception {
    byte[] key = new byte[bytes];
    new SecureRandom().nextBytes(key);
    return Files.writeString(
        directory.resolve(name), Base64.getEncoder().encodeToString(key) + "\n");
  }
}
