package dev.spillway.auth.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.http.Secret;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshSecretTest {
  @Test
  void text_isReadAgain() {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      RefreshSecret secret = RefreshSecret.random();
      String text = secret.text();
      RefreshSecret read = RefreshSecret.parse(Secret.of(text)).orElseThrow();
      assertThat(text).hasSize(RefreshSecret.TEXT_LENGTH).matches("[A-Za-z0-9_-]+");
      assertThat(read.text()).isEqualTo(text);
      assertThat(read.hash()).isEqualTo(secret.hash());
      assertThat(read.sessionId()).isEqualTo(secret.sessionId());
      assertThat(all.add(text)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ",
        "\u00e9AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      })
  void anythingElse_isNoneOfOurs(String text) {
    assertThat(RefreshSecret.parse(Secret.of(text))).isEmpty();
  }

  @Test
  void successor_dependsOnTheSecretAndOnTheSalt() {
    RefreshSecret secret = RefreshSecret.random();
    String salt = RefreshSecret.salt();
    assertThat(secret.successor(salt).text()).isEqualTo(secret.successor(salt).text());
    assertThat(secret.successor(salt).text())
        .isNotEqualTo(secret.successor(RefreshSecret.salt()).text())
        .isNotEqualTo(RefreshSecret.random().successor(salt).text())
        .startsWith(secret.text().substring(0, 21));
  }

  @Test
  void nothing_isShown() {
    RefreshSecret secret = RefreshSecret.random();
    assertThat(secret.toString()).isEqualTo("RefreshSecret[hidden]");
    assertThat(secret.hashesTo(secret.hash())).isTrue();
    assertThat(secret.hashesTo(RefreshSecret.random().hash())).isFalse();
    assertThat(secret.hashesTo("")).isFalse();
  }
}
