package dev.spillway.core.bcrypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpringDigestEngineTest {
  private final DigestEngine engine = new SpringDigestEngine();

  /** Passwords in hexadecimal. Digests by libxcrypt, salt CCCCCCCCCCCCCCCCCCCCC., cost 5. */
  @ParameterizedTest
  @CsvSource({
    "'',       2b, 7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
    "552a55,   2a, E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "c3a9,     2b, DvKJiuZKaiEep8jwYdCcoFbV7qNxYdm",
    "65cc81,   2b, i8ftF58kCptWNIH/1.KWbsnT7cwIchS",
    "a3,       2a, BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "a3,       2b, BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "a3,       2y, BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "ffffa3,   2b, Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US",
    "ffffa3,   2y, Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US",
  })
  void knownVectors(String hex, String version, String digest) {
    byte[] password = HexFormat.of().parseHex(hex);
    var setting = BcryptSetting.parse("$" + version + "$05$CCCCCCCCCCCCCCCCCCCCC.");
    assertThat(engine.digest(setting, password)).isEqualTo(BcryptDigest.of(digest));
  }

  @Test
  void seventyTwoBytesCount() {
    var setting = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");
    assertThat(engine.digest(setting, ascii("a".repeat(72))))
        .isEqualTo(BcryptDigest.of("ODcEJfYFxKziEakDsjep8mcF3zSCvHq"));
    assertThat(engine.digest(setting, ascii("a".repeat(71) + "b")))
        .isEqualTo(BcryptDigest.of("u1sPGZ9q71nBaQpv96qJMsRn29aIDCO"));
  }

  @Test
  void moreThanSeventyTwoBytes_fail() {
    var setting = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");
    assertThatThrownBy(() -> engine.digest(setting, ascii("a".repeat(73))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
