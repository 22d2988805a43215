package dev.spillway.core.lanes;

import java.util.Arrays;

/** {@link Kernel} for one lane: all sixteen rounds in a row, nothing to keep apart. */
final class Kernel1 {
  private static final int A = 0;
  private static final int A0 = A + LaneState.P_WORDS;
  private static final int A1 = A0 + 256;
  private static final int A2 = A1 + 256;
  private static final int A3 = A2 + 256;

  private Kernel1() {}

  static void expand(LaneState a, int expansions) {
    int[] box = new int[LaneState.WORDS];
    System.arraycopy(a.state, 0, box, A, LaneState.WORDS);
    for (int half = 0; half < 2 * expansions; half++) {
      boolean withKey = (half & 1) == 0;
      Kernel.xor(withKey ? a.key : a.salt, box, A);
      int la = 0;
      int ra = 0;
      for (int i = 0; i < LaneState.WORDS; i += 2) {
        la ^= box[A];
        ra ^= box[A + 1];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 2];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 3];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 4];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 5];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 6];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 7];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 8];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 9];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 10];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 11];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 12];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 13];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 14];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        ra ^= box[A + 15];
        ra ^=
            (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                + box[(la & 0xff) + A3];
        la ^= box[A + 16];
        la ^=
            (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                + box[(ra & 0xff) + A3];
        int sa = ra ^ box[A + 17];
        ra = la;
        la = sa;
        box[i + A] = la;
        box[i + (A + 1)] = ra;
      }
    }
    System.arraycopy(box, A, a.state, 0, LaneState.WORDS);
    Arrays.fill(box, 0);
  }
}
