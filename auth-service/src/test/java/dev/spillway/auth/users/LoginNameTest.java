package dev.spillway.auth.users;

import static dev.spillway.auth.users.UserDirectoryFixture.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginNameTest {
  @Test
  void spellingsOfOneName_areEqual() {
    assertThat(name("Ren\u00c9")).isEqualTo(name("rene\u0301"));
    assertThat(name("\u212aelvin")).isEqualTo(name("kelvin"));
  }

  @Test
  void turkishMachine_foldsTheSame() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.of("tr"));
      assertThat(name("IVY").text()).isEqualTo("ivy");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void normalForm_isAFixedPointForEveryCharacter() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      var once = LoginName.parse(Character.toString(c));
      if (once.isPresent() && !LoginName.parse(once.get().text()).equals(once)) {
        fail("U+%04X", c);
      }
    }
  }

  @Test
  void blanks_count() {
    assertThat(name(" ann")).isNotEqualTo(name("ann"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "a\nb", "a\u007f", "\ud800", "a\udc00b", "a\u2028b"})
  void notAName_isRefused(String typed) {
    assertThat(LoginName.parse(typed)).isEmpty();
  }

  @Test
  void length_isThatOfTheNormalForm() {
    assertThat(LoginName.parse("a".repeat(254))).isPresent();
    assertThat(LoginName.parse("a".repeat(255))).isEmpty();
    assertThat(LoginName.parse("e\u0301".repeat(254))).isPresent();
    assertThat(LoginName.parse("a".repeat(1_000_000))).isEmpty();
    assertThat(LoginName.parse(null)).isEmpty();
  }

  @Test
  void constructor_takesTheNormalFormOnly() {
    assertThatThrownBy(() -> new LoginName("Ann")).isInstanceOf(IllegalArgumentException.class);
  }

  /** A3: imported by one reader, it was no name to another. */
  @Test
  void byteOrderMark_isInNoName() {
    assertThat(LoginName.parse("\ufeffann")).isEmpty();
    assertThat(LoginName.parse("an\ufeffn")).isEmpty();
  }
}
