package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class PiDigitsTest {
  /** Machin's formula shares nothing with the series used, so a slip in either would show. */
  @Test
  void words_areThoseOfMachinsFormula() {
    int bits = 32 * LaneState.WORDS;
    int guard = 64;
    BigInteger one = BigInteger.ONE.shiftLeft(bits + guard);
    BigInteger pi =
        arctanOfOneOver(5, one)
            .multiply(BigInteger.valueOf(16))
            .subtract(arctanOfOneOver(239, one).multiply(BigInteger.valueOf(4)))
            .shiftRight(guard);

    int[] words = PiDigits.words(LaneState.WORDS);

    for (int i = 0; i < words.length; i++) {
      assertThat(words[i])
          .as("word %d", i)
          .isEqualTo(pi.shiftRight(bits - 32 * (i + 1)).intValue());
    }
  }

  @Test
  void firstAndLastWord_areBlowfishs() {
    int[] words = PiDigits.words(LaneState.WORDS);

    assertThat(words[0]).isEqualTo(0x243f6a88);
    assertThat(words[LaneState.WORDS - 1]).isEqualTo(0x3ac372e6);
  }

  private static BigInteger arctanOfOneOver(long x, BigInteger one) {
    BigInteger power = one.divide(BigInteger.valueOf(x));
    BigInteger sum = power;
    for (long n = 3; power.signum() != 0; n += 2) {
      power = power.divide(BigInteger.valueOf(-x * x));
      sum = sum.add(power.divide(BigInteger.valueOf(n)));
    }
    return sum;
  }
}
