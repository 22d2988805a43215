package dev.spillway.core.lanes;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** {@link Kernel} for two lanes: four rounds in the inner loop, a fence after each round. */
final class Kernel2 {
  private static final int A = 0;
  private static final int A0 = A + LaneState.P_WORDS;
  private static final int A1 = A0 + 256;
  private static final int A2 = A1 + 256;
  private static final int A3 = A2 + 256;

  private static final int B = A + LaneState.WORDS;
  private static final int B0 = B + LaneState.P_WORDS;
  private static final int B1 = B0 + 256;
  private static final int B2 = B1 + 256;
  private static final int B3 = B2 + 256;

  private Kernel2() {}

  static void expand(LaneState a, LaneState b, int expansions) {
    int[] box = new int[2 * LaneState.WORDS];
    System.arraycopy(a.state, 0, box, A, LaneState.WORDS);
    System.arraycopy(b.state, 0, box, B, LaneState.WORDS);
    for (int half = 0; half < 2 * expansions; half++) {
      boolean withKey = (half & 1) == 0;
      Kernel.xor(withKey ? a.key : a.salt, box, A);
      Kernel.xor(withKey ? b.key : b.salt, box, B);
      int la = 0;
      int ra = 0;
      int lb = 0;
      int rb = 0;
      for (int i = 0; i < LaneState.WORDS; i += 2) {
        la ^= box[A];
        lb ^= box[B];
        for (int p = 0; p < 16; p += 4) {
          ra ^= box[p + (A + 1)];
          ra ^=
              (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                  + box[(la & 0xff) + A3];
          rb ^= box[p + (B + 1)];
          rb ^=
              (box[(lb >>> 24) + B0] + box[(lb >>> 16 & 0xff) + B1] ^ box[(lb >>> 8 & 0xff) + B2])
                  + box[(lb & 0xff) + B3];
          VarHandle.loadLoadFence();
          la ^= box[p + (A + 2)];
          la ^=
              (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                  + box[(ra & 0xff) + A3];
          lb ^= box[p + (B + 2)];
          lb ^=
              (box[(rb >>> 24) + B0] + box[(rb >>> 16 & 0xff) + B1] ^ box[(rb >>> 8 & 0xff) + B2])
                  + box[(rb & 0xff) + B3];
          VarHandle.loadLoadFence();
          ra ^= box[p + (A + 3)];
          ra ^=
              (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                  + box[(la & 0xff) + A3];
          rb ^= box[p + (B + 3)];
          rb ^=
              (box[(lb >>> 24) + B0] + box[(lb >>> 16 & 0xff) + B1] ^ box[(lb >>> 8 & 0xff) + B2])
                  + box[(lb & 0xff) + B3];
          VarHandle.loadLoadFence();
          la ^= box[p + (A + 4)];
          la ^=
              (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                  + box[(ra & 0xff) + A3];
          lb ^= box[p + (B + 4)];
          lb ^=
              (box[(rb >>> 24) + B0] + box[(rb >>> 16 & 0xff) + B1] ^ box[(rb >>> 8 & 0xff) + B2])
                  + box[(rb & 0xff) + B3];
          VarHandle.loadLoadFence();
        }
        int sa = ra ^ box[A + 17];
        ra = la;
        la = sa;
        box[i + A] = la;
        box[i + (A + 1)] = ra;
        int sb = rb ^ box[B + 17];
        rb = lb;
        lb = sb;
        box[i + B] = lb;
        box[i + (B + 1)] = rb;
      }
    }
    System.arraycopy(box, A, a.state, 0, LaneState.WORDS);
    System.arraycopy(box, B, b.state, 0, LaneState.WORDS);
    Arrays.fill(box, 0);
  }
}
