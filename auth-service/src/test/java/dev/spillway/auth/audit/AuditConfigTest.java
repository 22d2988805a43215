package dev.spillway.auth.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditConfigTest {
  @TempDir Path directory;

  @Test
  void defaults() {
    AuditConfig config = ConfigText.read(AuditConfig.class);
    assertThat(config.logins()).isEqualTo(AuditConfig.Logins.CLEAR);
    assertThat(config.keyFile()).isEmpty();
    assertThat(config.keepFor()).isEqualTo(Duration.ofDays(90));
  }

  @Test
  void everyKey_canBeSet() {
    AuditConfig config =
        ConfigText.read(
            AuditConfig.class,
            "spillway.audit.logins",
            "keyed",
            "spillway.audit.key-file",
            "/a/key",
            "spillway.audit.keep-for",
            "0s");
    assertThat(config.logins()).isEqualTo(AuditConfig.Logins.KEYED);
    assertThat(config.keyFile()).contains(Path.of("/a/key"));
    assertThat(config.keepFor()).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.audit.logins, plain",
    "spillway.audit.keep-for, -1s",
    "spillway.audit.keep-for, 3651d",
    "spillway.audit.nonsense, 1",
  })
  void impossibleOrUnknown_isRefused(String key, String value) {
    assertThatThrownBy(() -> ConfigText.read(AuditConfig.class, key, value))
        .hasMessageContaining(key)
        .isInstanceOf(ConfigValidationException.class);
  }

  @Test
  void keyedNamesWithoutAKey_areRefused() {
    AuditConfig config = ConfigText.read(AuditConfig.class, "spillway.audit.logins", "keyed");
    assertThatThrownBy(() -> AccountNames.of(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spillway.audit.key-file");
  }

  @Test
  void unusableKey_isRefused() throws IOException {
    for (String content : new String[] {"AAAA", "no base64!"}) {
      Path file = Files.writeString(directory.resolve("key"), content);
      assertThatThrownBy(() -> AccountNames.of(withKey(file)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("spillway.audit.key-file");
    }
    assertThatThrownBy(() -> AccountNames.of(withKey(directory.resolve("none"))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("spillway.audit.key-file");
  }

  /** By another implementation: {@code openssl dgst -sha256 -mac HMAC -macopt hexkey:0000...}. */
  @Test
  void keyedName_isHmacSha256() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("key"), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
    assertThat(AccountNames.of(withKey(file)).keyed("ann"))
        .isEqualTo("eDUrrhfrZ4mwh7zK0TcGMKVNKsKIdOW-KBU4aDdngjw");
  }

  private static AuditConfig withKey(Path file) {
    return ConfigText.read(
        AuditConfig.class,
        "spillway.audit.logins",
        "keyed",
        "spillway.audit.key-file",
        file.toString());
  }
}
