package dev.spillway.auth.passwords;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.hashing.PasswordForms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BreachedPasswordsTest {
  private static final String NFC = "\u00e9";
  private static final String NFD = "e\u0301";

  @TempDir Path directory;

  @Test
  void byDefault_noListIsAsked() {
    PasswordsConfig config = ConfigText.read(PasswordsConfig.class);
    assertThat(config.breachedFile()).isEmpty();
    assertThat(contains(new BreachedPasswords(config), "password")).isFalse();
  }

  @Test
  void unknownKey_isRefused() {
    assertThatThrownBy(
            () -> ConfigText.read(PasswordsConfig.class, "spillway.passwords.nonsense", "1"))
        .hasMessageContaining("spillway.passwords.nonsense");
  }

  @Test
  void unusableFile_endsTheStartNamingTheKeyAndTheFile() throws IOException {
    Path none = directory.resolve("none");
    Path empty = Files.createFile(directory.resolve("empty"));
    for (Path file : new Path[] {none, empty, directory}) {
      assertThatThrownBy(() -> Lists.at(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("spillway.passwords.breached-file")
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void otherBytesOfAListedPassword_areListedToo() throws IOException {
    BreachedPasswords composed = Lists.of(directory, NFC);
    assertThat(contains(composed, NFC)).isTrue();
    assertThat(contains(composed, NFD)).as("it is hashed as the other").isTrue();
    BreachedPasswords asTyped = Lists.of(directory, NFD);
    assertThat(contains(asTyped, NFD)).as("as another service leaked it").isTrue();
    assertThat(contains(asTyped, "e")).isFalse();
  }

  @Test
  void listThatIsGone_isUnavailable() throws IOException {
    BreachedPasswords list = Lists.of(directory, "hunter2");
    Files.delete(directory.resolve("breached.txt"));
    assertThatThrownBy(() -> contains(list, "hunter2")).isInstanceOf(ListUnavailable.class);
  }

  private static boolean contains(BreachedPasswords list, String password) {
    try (PasswordForms forms = PasswordForms.of(password.getBytes(StandardCharsets.UTF_8))) {
      return list.contains(forms);
    }
  }
}
