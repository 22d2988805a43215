package dev.spillway.core.bcrypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsedHashTest {
  private static final String SALT = "CCCCCCCCCCCCCCCCCCCCC.";
  private static final String DIGEST = "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";

  @ParameterizedTest
  @ValueSource(strings = {"$2a$05$", "$2b$04$", "$2y$15$"})
  void aGoodHash_isReadAndWrittenAlike(String head) {
    String text = head + SALT + DIGEST;
    assertThat(ParsedHash.of(text, 15))
        .isInstanceOfSatisfying(
            ParsedHash.Valid.class,
            valid -> {
              assertThat(valid.hash().encoded()).isEqualTo(text);
              assertThat(valid.hash().toString()).doesNotContain(DIGEST).doesNotContain(SALT);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "'',                MALFORMED",
    "secret,            MALFORMED",
    "$2,                MALFORMED",
    "$2b,               MALFORMED",
    "$2b$4$,            MALFORMED",
    "$2b$1x$,           MALFORMED",
    "$argon2id$v=19$m=4194304$, MALFORMED",
    "$2$05$,            UNKNOWN_VERSION",
    "$2z$05$,           UNKNOWN_VERSION",
    "$2x$05$,           VERSION_2X",
    "$2b$03$,           COST_TOO_LOW",
    "$2b$00$,           COST_TOO_LOW",
    "$2b$16$,           COST_TOO_HIGH",
    "$2b$31$,           COST_TOO_HIGH",
    "$2b$32$,           COST_TOO_HIGH",
  })
  void whatCannotBeVerified_saysWhy(String head, ParsedHash.Reason reason) {
    assertThat(ParsedHash.of(head + SALT + DIGEST, 15)).isEqualTo(new ParsedHash.Invalid(reason));
    assertThat(ParsedHash.of(head, 15)).isInstanceOf(ParsedHash.Invalid.class);
  }

  @Test
  void wrongLengthOrAlphabet_isMalformed() {
    String good = "$2b$05$" + SALT + DIGEST;
    var malformed = new ParsedHash.Invalid(ParsedHash.Reason.MALFORMED);
    for (int length = 7; length < good.length(); length++) {
      assertThat(ParsedHash.of(good.substring(0, length), 15))
          .as("%d", length)
          .isEqualTo(malformed);
    }
    assertThat(ParsedHash.of(good + "a", 15)).isEqualTo(malformed);
    assertThat(ParsedHash.of(good + "\n", 15)).isEqualTo(malformed);
    assertThat(ParsedHash.of(" " + good, 15)).isEqualTo(malformed);
    assertThat(ParsedHash.of(good.replace('G', '='), 15)).isEqualTo(malformed);
    assertThat(ParsedHash.of(good.replace('G', '\u00e9'), 15)).isEqualTo(malformed);
    // The last character carries four bits: "z" cannot end a digest.
    assertThat(ParsedHash.of(good.substring(0, 59) + "z", 15)).isEqualTo(malformed);
  }

  @Test
  void aSaltWithSurplusBits_isReadAsEveryImplementationReadsIt() {
    byte[] canonical = BcryptSetting.parse("$2b$05$" + SALT).saltBytes();
    assertThat(BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC/").saltBytes())
        .isEqualTo(canonical);
  }

  @Test
  void parse_neverRepeatsItsInput() {
    assertThatThrownBy(() -> BcryptSetting.parse("$2b$05$my-password"))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("my-password");
  }

  @Test
  void randomSettings_differ_andReadBack() {
    var random = new SecureRandom();
    var one = BcryptSetting.random(BcryptVersion.V2B, 12, random);
    assertThat(one).isNotEqualTo(BcryptSetting.random(BcryptVersion.V2B, 12, random));
    assertThat(BcryptSetting.parse(one.toString())).isEqualTo(one);
    assertThat(BcryptBase64.encode(one.saltBytes())).isEqualTo(one.salt());
  }

  @Test
  void digests_compareByContentAndStayHidden() {
    var digest = BcryptDigest.of(DIGEST);
    assertThat(digest.matches(BcryptDigest.of(DIGEST))).isTrue();
    assertThat(digest.matches(BcryptDigest.of("8" + DIGEST.substring(1)))).isFalse();
    assertThat(digest.toString()).doesNotContain(DIGEST);
  }
}
