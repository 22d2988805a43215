package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a verdict is worth, wherever the digest behind it was computed. */
abstract class HashPathContract {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SALT_5 = "$05$CCCCCCCCCCCCCCCCCCCCC.";

  /** The router whose every digest takes the path under test. */
  abstract Hashing hashing();

  abstract HashAnswer.Path path();

  /** Wrong guesses to try in {@link #randomWrongPasswords_neverMatch}. */
  abstract int guesses();

  /** Passwords in hexadecimal; digests by libxcrypt and by PHP. */
  @ParameterizedTest
  @CsvSource({
    "'',       $2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
    "552a55,   $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "c3a9,     $2b$05$CCCCCCCCCCCCCCCCCCCCC.DvKJiuZKaiEep8jwYdCcoFbV7qNxYdm",
    "65cc81,   $2b$05$CCCCCCCCCCCCCCCCCCCCC.i8ftF58kCptWNIH/1.KWbsnT7cwIchS",
    "a3,       $2a$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "a3,       $2b$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "a3,       $2y$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq",
    "ffffa3,   $2b$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US",
    "ffffa3,   $2y$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US",
    "74657374, $2y$10$wisIVhmjWjm/lkujDJVAXuuYDXiGU/c9HK3mMzqFbfk45PXA527ui",
    "74657374, $2y$10$h5jWvguJlBPJ8/1KkOBRGeApm9dj0430qnHK5iRp4lb2dBL4DhfnK",
  })
  void rightPassword_matches_andOneByteMoreDoesNot(String hex, String stored) {
    byte[] password = HexFormat.of().parseHex(hex);
    assertThat(verify(stored, password)).isEqualTo(new HashAnswer.Computed<>(true, path()));
    byte[] longer = java.util.Arrays.copyOf(password, password.length + 1);
    longer[password.length] = 'x';
    assertThat(verify(stored, longer)).isEqualTo(new HashAnswer.Computed<>(false, path()));
  }

  /** CVE-2025-22228: the last byte that counts is the 72nd. */
  @Test
  void theSeventySecondByte_counts() {
    String stored = "$2b" + SALT_5 + "ODcEJfYFxKziEakDsjep8mcF3zSCvHq";
    assertThat(verify(stored, ascii("a".repeat(72))))
        .isEqualTo(new HashAnswer.Computed<>(true, path()));
    assertThat(verify(stored, ascii("a".repeat(71) + "b")))
        .isEqualTo(new HashAnswer.Computed<>(false, path()));
    assertThat(verify(stored, ascii("a".repeat(71))))
        .isEqualTo(new HashAnswer.Computed<>(false, path()));
  }

  /** CVE-2011-2483: what collides under $2x$ does not under the versions we verify. */
  @Test
  void signExtensionCollision_isNone() {
    String stored = "$2b" + SALT_5 + "BvtRGGx3p8o0C5C36uS442Qqnrwofrq";
    assertThat(verify(stored, HexFormat.of().parseHex("ffffa3")))
        .isEqualTo(new HashAnswer.Computed<>(false, path()));
  }

  /** CVE-2022-46146: the hash is not the password. */
  @Test
  void storedHashAsPassword_doesNotMatch() {
    String stored = "$2b" + SALT_5 + "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";
    assertThat(verify(stored, ascii(stored))).isEqualTo(new HashAnswer.Computed<>(false, path()));
  }

  /** CVE-2020-28052: a comparison that is wrong now and then lets some of these in. */
  @Test
  void randomWrongPasswords_neverMatch() throws Exception {
    String stored = made("right").encoded();
    try (ExecutorService threads = Executors.newFixedThreadPool(4, Thread.ofVirtual().factory())) {
      List<Future<HashAnswer<Boolean>>> verdicts = new ArrayList<>();
      for (int i = 0; i < guesses(); i++) {
        byte[] guess = new byte[1 + i % 72];
        ThreadLocalRandom.current().nextBytes(guess);
        verdicts.add(threads.submit(() -> verify(stored, guess)));
      }
      for (Future<HashAnswer<Boolean>> verdict : verdicts) {
        assertThat(verdict.get()).isEqualTo(new HashAnswer.Computed<>(false, path()));
      }
    }
  }

  @Test
  void newHash_isOfTheConfiguredCost_andMatchesItsPasswordOnly() {
    BcryptHash hash = made("pässwörd");
    assertThat(hash.setting().cost()).isEqualTo(4);
    assertThat(hash.encoded()).startsWith("$2b$04$");
    assertThat(verify(hash.encoded(), "pässwörd".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new HashAnswer.Computed<>(true, path()));
    assertThat(verify(hash.encoded(), ascii("passwort")))
        .isEqualTo(new HashAnswer.Computed<>(false, path()));
    assertThat(made("pässwörd")).isNotEqualTo(hash);
  }

  private BcryptHash made(String password) {
    HashAnswer<BcryptHash> made =
        hashing().create(password.getBytes(StandardCharsets.UTF_8), Deadline.in(PATIENCE));
    assertThat(made).isInstanceOf(HashAnswer.Computed.class);
    return ((HashAnswer.Computed<BcryptHash>) made).value();
  }

  private HashAnswer<Boolean> verify(String stored, byte[] password) {
    ParsedHash.OfHash parsed = ParsedHash.of(stored, 15);
    assertThat(parsed).isInstanceOf(ParsedHash.Valid.class);
    return hashing().verify(((ParsedHash.Valid) parsed).hash(), password, Deadline.in(PATIENCE));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
