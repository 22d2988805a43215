package dev.spillway.auth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SecretTest {
  @Test
  void text_isEncodedAsUtf8() {
    String text = "p\u00e9\ud83d\ude80\0";

    assertThat(Secret.of(text).utf8()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    assertThat(Secret.of("").isEmpty()).isTrue();
  }

  @Test
  void wiped_holdsNothingOfIt() {
    Secret secret = Secret.of("pass");
    secret.wipe();

    assertThat(secret.utf8()).containsOnly(0);
  }

  @Test
  void halfASurrogatePair_isRefused() {
    for (String text : new String[] {"\ud800", "a\udc00", "\udc00\ud800"}) {
      assertThatThrownBy(() -> Secret.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void printed_showsNothing() {
    assertThat(Secret.of("pass").toString()).doesNotContain("pass");
  }
}
