package dev.spillway.core.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealTest {
  private static final String A = "0f".repeat(32);
  private static final String B = "a1".repeat(32);
  private static final SealKeys BOTH =
      SealKeys.parse("{\"a\":\"%s\",\"b\":\"%s\"}".formatted(A, B));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final SealedJob JOB = new SealedJob("7", "$2b$12$CCCCCCCCCCCCCCCCCCCCC.");
  private static final byte[] PASSWORD = "pässwörd".getBytes(StandardCharsets.UTF_8);

  private final Sealer sealer = new Sealer(BOTH, "a", InstantSource.fixed(NOW));
  private final SealStamp stamp = sealer.stamp();

  @Test
  void sealedPassword_isOpened_withEitherKeyInUse() {
    for (String use : new String[] {"a", "b"}) {
      Sealer with = new Sealer(BOTH, use, InstantSource.fixed(NOW));
      byte[] box = with.seal(with.stamp(), JOB, PASSWORD);
      assertThat(opener(NOW).open(with.stamp(), JOB, box))
          .isInstanceOfSatisfying(
              Opened.Password.class, it -> assertThat(it.bytes()).isEqualTo(PASSWORD));
    }
  }

  /** A size that told the length of the password would tell a tenth of it. */
  @Test
  void everyPassword_isSealedInOneSize() {
    for (int length = 0; length <= 72; length++) {
      byte[] password = new byte[length];
      byte[] box = sealer.seal(stamp, JOB, password);
      assertThat(box).hasSize(Envelope.BYTES);
      assertThat(((Opened.Password) opener(NOW).open(stamp, JOB, box)).bytes()).isEqualTo(password);
    }
  }

  @Test
  void nonces_differ() {
    Set<String> nonces =
        IntStream.range(0, 1_000)
            .mapToObj(i -> sealer.seal(stamp, JOB, PASSWORD))
            .map(box -> HexFormat.of().formatHex(box, 0, Envelope.NONCE_BYTES))
            .collect(Collectors.toSet());
    assertThat(nonces).hasSize(1_000);
  }

  @Test
  void anyBitChanged_isBroken() {
    byte[] box = sealer.seal(stamp, JOB, PASSWORD);
    for (int bit = 0; bit < 8 * box.length; bit++) {
      byte[] changed = box.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(opener(NOW).open(stamp, JOB, changed)).isEqualTo(new Opened.Broken());
    }
  }

  @Test
  void otherLength_isBroken() {
    byte[] box = sealer.seal(stamp, JOB, PASSWORD);
    for (int length : new int[] {0, 11, 12, Envelope.BYTES - 1, Envelope.BYTES + 1}) {
      assertThat(opener(NOW).open(stamp, JOB, Arrays.copyOf(box, length)))
          .isEqualTo(new Opened.Broken());
    }
  }

  @Test
  void sealOfAnotherJobSettingTimeOrKeyName_isBroken() {
    byte[] box = sealer.seal(stamp, JOB, PASSWORD);
    Opener opener = opener(NOW);
    assertThat(opener.open(stamp, new SealedJob("8", JOB.setting()), box))
        .isEqualTo(new Opened.Broken());
    assertThat(opener.open(stamp, new SealedJob("7", "$2b$04$CCCCCCCCCCCCCCCCCCCCC."), box))
        .isEqualTo(new Opened.Broken());
    assertThat(opener.open(stamp, new SealedJob("7", "$2b$12$CCCCCCCCCCCCCCCCCCCCCe"), box))
        .isEqualTo(new Opened.Broken());
    assertThat(opener.open(new SealStamp("a", stamp.issuedAt() + 1), JOB, box))
        .isEqualTo(new Opened.Broken());
    assertThat(opener.open(new SealStamp("b", stamp.issuedAt()), JOB, box))
        .isEqualTo(new Opened.Broken());
  }

  /** The function's machine may be set to another language: one that writes digits of its own. */
  @Test
  void seal_isTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      byte[] box = sealer.seal(stamp, JOB, PASSWORD);
      assertThat(opener(NOW).open(new SealStamp("a", stamp.issuedAt() + 1), JOB, box))
          .isEqualTo(new Opened.Broken());
      Locale.setDefault(Locale.ROOT);
      assertThat(opener(NOW).open(stamp, JOB, box)).isInstanceOf(Opened.Password.class);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void unknownKey_isSaidSo() {
    Opener one =
        new Opener(
            SealKeys.parse("{\"b\":\"%s\"}".formatted(B)), true, WINDOW, InstantSource.fixed(NOW));
    assertThat(one.open(stamp, JOB, sealer.seal(stamp, JOB, PASSWORD)))
        .isEqualTo(new Opened.UnknownKey());
    assertThat(Opener.none().open(stamp, JOB, sealer.seal(stamp, JOB, PASSWORD)))
        .isEqualTo(new Opened.UnknownKey());
  }

  @Test
  void sealOutsideTheWindow_isStale_onEitherSide() {
    byte[] box = sealer.seal(stamp, JOB, PASSWORD);
    for (int seconds : new int[] {-61, 61, 3_600, -86_400}) {
      assertThat(opener(NOW.plusSeconds(seconds)).open(stamp, JOB, box))
          .as("%d s", seconds)
          .isEqualTo(new Opened.Stale());
    }
    for (int seconds : new int[] {-60, 0, 60}) {
      assertThat(opener(NOW.plusSeconds(seconds)).open(stamp, JOB, box))
          .as("%d s", seconds)
          .isInstanceOf(Opened.Password.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "null",
        "c0ffee",
        "{\"a\":\"c0ffee\"}",
        "{\"a\":1}",
        "{\"a\":null}",
        "{\"a b\":\"K\"}",
        "{\"\":\"K\"}",
        "{\"a\":\"K\",\"a\":\"K\"}",
        "{\"a\":\"K\"} {}",
        "{\"a\":\"K\"",
        "{\"a\":\"Kc0ffee\"}",
        "{\"a\":\"zzc0ffee00000000000000000000000000000000000000000000000000000000\"}",
      })
  void keysOfAnyOtherForm_areRefused_withoutAWordOfThem(String text) {
    assertThatThrownBy(() -> SealKeys.parse(text.replace("K", A)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("64 hexadecimal digits")
        .hasMessageNotContaining("c0ffee")
        .hasMessageNotContaining(A)
        .hasNoCause();
  }

  @Test
  void keysAreNotShown() {
    assertThat(BOTH).hasToString("SealKeys[a, b]");
  }

  @Test
  void whatCannotBe_isRefused() {
    assertThatThrownBy(() -> new Sealer(BOTH, "c", InstantSource.system()))
        .hasMessageContaining("no key of the id c");
    assertThatThrownBy(() -> new Opener(SealKeys.none(), true, WINDOW, InstantSource.fixed(NOW)))
        .hasMessageContaining("sealing is required");
    assertThatThrownBy(() -> new SealStamp("a\nb", 0)).isNotNull();
    assertThatCode(Opener::warmUp).doesNotThrowAnyException();
  }

  private static Opener opener(Instant now) {
    return new Opener(BOTH, true, WINDOW, InstantSource.fixed(now));
  }
}
