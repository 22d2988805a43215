package dev.spillway.core.lanes;

import static java.util.Objects.checkIndex;

/** {@link Kernel} for one lane, which needs nothing to keep apart. */
final class Kernel1 {
  private static final int A = 0;
  private static final int A0 = A + LaneState.P_WORDS;
  private static final int A1 = A0 + 256;
  private static final int A2 = A1 + 256;
  private static final int A3 = A2 + 256;

  private Kernel1() {}

  static void expand(LaneState[] lanes, int expansions, int bound) {
    int[] s = new int[1 * LaneState.WORDS];
    Kernel.load(lanes, 1, s);
    for (int n = 0; n < expansions; n++) {
      for (int half = 0; half < 2; half++) {
        Kernel.mix(lanes, 1, half == 0, s);
        int la = 0;
        int ra = 0;
        for (int i = 0; i < LaneState.WORDS; i += 2) {
          la ^= s[A];
          ra ^= s[A + 1];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 2];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 3];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 4];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 5];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 6];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 7];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 8];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 9];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 10];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 11];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 12];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 13];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 14];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          ra ^= s[A + 15];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          la ^= s[A + 16];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          int sa = ra ^ s[A + 17];
          ra = la;
          la = sa;
          s[i + A] = la;
          s[i + (A + 1)] = ra;
        }
      }
    }
    Kernel.store(s, lanes, 1);
  }
}
