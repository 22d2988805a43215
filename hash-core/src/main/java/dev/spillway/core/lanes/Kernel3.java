package dev.spillway.core.lanes;

import static java.util.Objects.checkIndex;

/** {@link Kernel} for three lanes. */
final class Kernel3 {
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

  private Kernel3() {}

  static void expand(LaneState[] lanes, int expansions, int bound) {
    int[] s = new int[3 * LaneState.WORDS];
    Kernel.load(lanes, 3, s);
    for (int n = 0; n < expansions; n++) {
      for (int half = 0; half < 2; half++) {
        Kernel.mix(lanes, 3, half == 0, s);
        int la = 0;
        int ra = 0;
        int lb = 0;
        int rb = 0;
        int lc = 0;
        int rc = 0;
        for (int i = 0; i < LaneState.WORDS; i += 2) {
          la ^= s[A];
          lb ^= s[B];
          lc ^= s[C];
          ra ^= s[A + 1];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 1];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 1];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 2];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 2];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 2];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 3];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 3];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 3];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 4];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 4];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 4];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 5];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 5];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 5];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 6];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 6];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 6];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 7];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 7];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 7];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 8];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 8];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 8];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 9];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 9];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 9];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 10];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 10];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 10];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 11];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 11];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 11];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 12];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 12];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 12];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 13];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 13];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 13];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 14];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 14];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 14];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          ra ^= s[A + 15];
          ra ^=
              ((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1]) ^ s[(la >>> 8 & 0xff) + A2])
                  + s[checkIndex(la & 0xff, bound) + A3];
          rb ^= s[B + 15];
          rb ^=
              ((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1]) ^ s[(lb >>> 8 & 0xff) + B2])
                  + s[checkIndex(lb & 0xff, bound) + B3];
          rc ^= s[C + 15];
          rc ^=
              ((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1]) ^ s[(lc >>> 8 & 0xff) + C2])
                  + s[checkIndex(lc & 0xff, bound) + C3];
          la ^= s[A + 16];
          la ^=
              ((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1]) ^ s[(ra >>> 8 & 0xff) + A2])
                  + s[checkIndex(ra & 0xff, bound) + A3];
          lb ^= s[B + 16];
          lb ^=
              ((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1]) ^ s[(rb >>> 8 & 0xff) + B2])
                  + s[checkIndex(rb & 0xff, bound) + B3];
          lc ^= s[C + 16];
          lc ^=
              ((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1]) ^ s[(rc >>> 8 & 0xff) + C2])
                  + s[checkIndex(rc & 0xff, bound) + C3];
          int sa = ra ^ s[A + 17];
          ra = la;
          la = sa;
          s[i + A] = la;
          s[i + (A + 1)] = ra;
          int sb = rb ^ s[B + 17];
          rb = lb;
          lb = sb;
          s[i + B] = lb;
          s[i + (B + 1)] = rb;
          int sc = rc ^ s[C + 17];
          rc = lc;
          lc = sc;
          s[i + C] = lc;
          s[i + (C + 1)] = rc;
        }
      }
    }
    Kernel.store(s, lanes, 3);
  }
}
