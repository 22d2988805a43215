package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordFormsTest {
  private static final String NFC = "caf\u00e9";
  private static final String NFD = "cafe\u0301";

  /** No second form, so no second hash; and no copy that would have to be wiped. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "plain", NFC, "p\u00e4ssw\u00f6rd", "\ud83d\ude00", "\ufb01", "\u2460"})
  void whatIsInNfc_hasOneForm(String text) {
    byte[] typed = utf8(text);
    try (PasswordForms forms = PasswordForms.of(typed)) {
      assertThat(forms.nfc()).isSameAs(typed);
      assertThat(forms.all()).containsExactly(typed);
    }
    assertThat(typed).as("left for its owner to wipe").isEqualTo(utf8(text));
  }

  @Test
  void whatIsNot_hasTwo_theComposedOneFirst() {
    byte[] typed = utf8(NFD);
    PasswordForms forms = PasswordForms.of(typed);
    assertThat(forms.all()).containsExactly(utf8(NFC), utf8(NFD));
    forms.close();
    assertThat(forms.nfc()).as("wiped").containsOnly(0);
    assertThat(typed).isEqualTo(utf8(NFD));
  }

  /** Singletons and exclusions: composing may change one character, or make more of it. */
  @Test
  void composing_mayChangeOrLengthen() {
    assertThat(PasswordForms.of(utf8("\u212b")).nfc()).isEqualTo(utf8("\u00c5"));
    assertThat(PasswordForms.of(utf8("\u0958")).nfc()).isEqualTo(utf8("\u0915\u093c"));
  }

  @Test
  void bytesThatAreNoText_areLeftAlone() {
    byte[] typed = {(byte) 0xff, (byte) 0xff, (byte) 0xa3};
    assertThat(PasswordForms.of(typed).all()).containsExactly(typed);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
