package dev.spillway.core.lanes;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * The fraction of pi in binary, from which Blowfish takes its initial state: 18 subkeys and four
 * S-boxes of 256 words (Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher
 * (Blowfish)", 1993).
 *
 * <p>Computed, not copied: nobody can review a table of 1,042 words. The series is the one of
 * Chudnovsky and Chudnovsky (1988), about 47 bits a term, summed by binary splitting; some 40 ms in
 * a cold JVM, once.
 */
final class PiDigits {
  /** Absorbs the roundings of root and quotient, many times over. */
  private static final int GUARD_BITS = 64;

  private static final int BITS_PER_TERM = 47;
  private static final long FIRST = 13_591_409;
  private static final long STEP = 545_140_134;
  private static final BigInteger C_CUBED_OVER_24 = BigInteger.valueOf(10_939_058_860_032_000L);

  private PiDigits() {}

  /** The first {@code count} 32-bit words after the point. */
  static int[] words(int count) {
    BigInteger scaled = pi(32 * count + GUARD_BITS).shiftRight(GUARD_BITS);
    int[] words = new int[count];
    ByteBuffer.wrap(scaled.toByteArray()).position(1).asIntBuffer().get(words);
    return words;
  }

  /** Pi times 2 to the power {@code bits}, but for the last few bits. */
  private static BigInteger pi(int bits) {
    Terms sum = Terms.sum(0, bits / BITS_PER_TERM + 1);
    BigInteger root = BigInteger.valueOf(10_005).shiftLeft(2 * bits).sqrt();
    BigInteger divisor = sum.q.multiply(BigInteger.valueOf(FIRST)).add(sum.t);
    return sum.q.multiply(BigInteger.valueOf(426_880)).multiply(root).divide(divisor);
  }

  /**
   * A stretch of the series: the products {@code p} of its terms' numerators and {@code q} of their
   * denominators, and {@code t}, such that the stretch adds up to t / q.
   */
  private record Terms(BigInteger p, BigInteger q, BigInteger t) {
    /** The terms after number {@code from}, up to and with number {@code to}. */
    static Terms sum(int from, int to) {
      if (to - from == 1) {
        return term(to);
      }
      int middle = (from + to) >>> 1;
      Terms left = sum(from, middle);
      Terms right = sum(middle, to);
      return new Terms(
          left.p.multiply(right.p),
          left.q.multiply(right.q),
          left.t.multiply(right.q).add(left.p.multiply(right.t)));
    }

    private static Terms term(long k) {
      BigInteger p = BigInteger.valueOf(-(6 * k - 5) * (2 * k - 1) * (6 * k - 1));
      BigInteger q = BigInteger.valueOf(k * k * k).multiply(C_CUBED_OVER_24);
      return new Terms(p, q, p.multiply(BigInteger.valueOf(FIRST + STEP * k)));
    }
  }
}
