package dev.spillway.core.lanes;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** {@link Kernel} for four lanes: two rounds in the inner loop, a fence after each. */
final class Kernel4 {
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

  private static final int C = B + LaneState.WORDS;
  private static final int C0 = C + LaneState.P_WORDS;
  private static final int C1 = C0 + 256;
  private static final int C2 = C1 + 256;
  private static final int C3 = C2 + 256;

  private static final int D = C + LaneState.WORDS;
  private static final int D0 = D + LaneState.P_WORDS;
  private static final int D1 = D0 + 256;
  private static final int D2 = D1 + 256;
  private static final int D3 = D2 + 256;

  private Kernel4() {}

  static void expand(LaneState a, LaneState b, LaneState c, LaneState d, int expansions) {
    int[] box = new int[4 * LaneState.WORDS];
    System.arraycopy(a.state, 0, box, A, LaneState.WORDS);
    System.arraycopy(b.state, 0, box, B, LaneState.WORDS);
    System.arraycopy(c.state, 0, box, C, LaneState.WORDS);
    System.arraycopy(d.state, 0, box, D, LaneState.WORDS);
    for (int half = 0; half < 2 * expansions; half++) {
      boolean withKey = (half & 1) == 0;
      Kernel.xor(withKey ? a.key : a.salt, box, A);
      Kernel.xor(withKey ? b.key : b.salt, box, B);
      Kernel.xor(withKey ? c.key : c.salt, box, C);
      Kernel.xor(withKey ? d.key : d.salt, box, D);
      int la = 0;
      int ra = 0;
      int lb = 0;
      int rb = 0;
      int lc = 0;
      int rc = 0;
      int ld = 0;
      int rd = 0;
      for (int i = 0; i < LaneState.WORDS; i += 2) {
        la ^= box[A];
        lb ^= box[B];
        lc ^= box[C];
        ld ^= box[D];
        for (int p = 0; p < 16; p += 2) {
          ra ^= box[p + (A + 1)];
          ra ^=
              (box[(la >>> 24) + A0] + box[(la >>> 16 & 0xff) + A1] ^ box[(la >>> 8 & 0xff) + A2])
                  + box[(la & 0xff) + A3];
          rb ^= box[p + (B + 1)];
          rb ^=
              (box[(lb >>> 24) + B0] + box[(lb >>> 16 & 0xff) + B1] ^ box[(lb >>> 8 & 0xff) + B2])
                  + box[(lb & 0xff) + B3];
          rc ^= box[p + (C + 1)];
          rc ^=
              (box[(lc >>> 24) + C0] + box[(lc >>> 16 & 0xff) + C1] ^ box[(lc >>> 8 & 0xff) + C2])
                  + box[(lc & 0xff) + C3];
          rd ^= box[p + (D + 1)];
          rd ^=
              (box[(ld >>> 24) + D0] + box[(ld >>> 16 & 0xff) + D1] ^ box[(ld >>> 8 & 0xff) + D2])
                  + box[(ld & 0xff) + D3];
          VarHandle.loadLoadFence();
          la ^= box[p + (A + 2)];
          la ^=
              (box[(ra >>> 24) + A0] + box[(ra >>> 16 & 0xff) + A1] ^ box[(ra >>> 8 & 0xff) + A2])
                  + box[(ra & 0xff) + A3];
          lb ^= box[p + (B + 2)];
          lb ^=
              (box[(rb >>> 24) + B0] + box[(rb >>> 16 & 0xff) + B1] ^ box[(rb >>> 8 & 0xff) + B2])
                  + box[(rb & 0xff) + B3];
          lc ^= box[p + (C + 2)];
          lc ^=
              (box[(rc >>> 24) + C0] + box[(rc >>> 16 & 0xff) + C1] ^ box[(rc >>> 8 & 0xff) + C2])
                  + box[(rc & 0xff) + C3];
          ld ^= box[p + (D + 2)];
          ld ^=
              (box[(rd >>> 24) + D0] + box[(rd >>> 16 & 0xff) + D1] ^ box[(rd >>> 8 & 0xff) + D2])
                  + box[(rd & 0xff) + D3];
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
        int sc = rc ^ box[C + 17];
        rc = lc;
        lc = sc;
        box[i + C] = lc;
        box[i + (C + 1)] = rc;
        int sd = rd ^ box[D + 17];
        rd = ld;
        ld = sd;
        box[i + D] = ld;
        box[i + (D + 1)] = rd;
      }
    }
    System.arraycopy(box, A, a.state, 0, LaneState.WORDS);
    System.arraycopy(box, B, b.state, 0, LaneState.WORDS);
    System.arraycopy(box, C, c.state, 0, LaneState.WORDS);
    System.arraycopy(box, D, d.state, 0, LaneState.WORDS);
    Arrays.fill(box, 0);
  }
}
