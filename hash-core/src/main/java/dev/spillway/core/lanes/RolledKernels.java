package dev.spillway.core.lanes;

/**
 * The same computation as {@link Kernel2} to {@link Kernel4}, in the shape that Graal's compiler
 * makes the most of, and so for native images: two rounds in an inner loop that it does not unroll.
 * In the long stretch that suits HotSpot it computes indices far ahead and moves them to the stack
 * and back, and the checks that keep HotSpot from it do not keep Graal; there three lanes gain
 * nothing over one, here twice as much. Figures are in benchmarks/results.
 */
final class RolledKernels {
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

  private RolledKernels() {}

  /** As {@link Kernel#expand} does, for two lanes and more. */
  static void expand(LaneState[] lanes, int busy, int expansions) {
    switch (busy) {
      case 2 -> expand2(lanes, expansions);
      case 3 -> expand3(lanes, expansions);
      case 4 -> expand4(lanes, expansions);
      default -> throw new IllegalArgumentException("no rolled kernel for " + busy + " lanes");
    }
  }

  private static void expand2(LaneState[] lanes, int expansions) {
    int[] s = new int[2 * LaneState.WORDS];
    Kernel.load(lanes, 2, s);
    for (int half = 0; half < 2 * expansions; half++) {
      Kernel.mix(lanes, 2, (half & 1) == 0, s);
      int la = 0;
      int ra = 0;
      int lb = 0;
      int rb = 0;
      for (int i = 0; i < LaneState.WORDS; i += 2) {
        la ^= s[A];
        lb ^= s[B];
        for (int p = 0; p < 16; p += 2) {
          ra ^=
              s[p + A + 1]
                  ^ (((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1])
                          ^ s[(la >>> 8 & 0xff) + A2])
                      + s[(la & 0xff) + A3]);
          rb ^=
              s[p + B + 1]
                  ^ (((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1])
                          ^ s[(lb >>> 8 & 0xff) + B2])
                      + s[(lb & 0xff) + B3]);
          la ^=
              s[p + A + 2]
                  ^ (((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1])
                          ^ s[(ra >>> 8 & 0xff) + A2])
                      + s[(ra & 0xff) + A3]);
          lb ^=
              s[p + B + 2]
                  ^ (((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1])
                          ^ s[(rb >>> 8 & 0xff) + B2])
                      + s[(rb & 0xff) + B3]);
        }
        int swapa = ra ^ s[A + 17];
        ra = la;
        la = swapa;
        s[i + A] = la;
        s[i + A + 1] = ra;
        int swapb = rb ^ s[B + 17];
        rb = lb;
        lb = swapb;
        s[i + B] = lb;
        s[i + B + 1] = rb;
      }
    }
    Kernel.store(s, lanes, 2);
  }

  private static void expand3(LaneState[] lanes, int expansions) {
    int[] s = new int[3 * LaneState.WORDS];
    Kernel.load(lanes, 3, s);
    for (int half = 0; half < 2 * expansions; half++) {
      Kernel.mix(lanes, 3, (half & 1) == 0, s);
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
        for (int p = 0; p < 16; p += 2) {
          ra ^=
              s[p + A + 1]
                  ^ (((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1])
                          ^ s[(la >>> 8 & 0xff) + A2])
                      + s[(la & 0xff) + A3]);
          rb ^=
              s[p + B + 1]
                  ^ (((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1])
                          ^ s[(lb >>> 8 & 0xff) + B2])
                      + s[(lb & 0xff) + B3]);
          rc ^=
              s[p + C + 1]
                  ^ (((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1])
                          ^ s[(lc >>> 8 & 0xff) + C2])
                      + s[(lc & 0xff) + C3]);
          la ^=
              s[p + A + 2]
                  ^ (((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1])
                          ^ s[(ra >>> 8 & 0xff) + A2])
                      + s[(ra & 0xff) + A3]);
          lb ^=
              s[p + B + 2]
                  ^ (((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1])
                          ^ s[(rb >>> 8 & 0xff) + B2])
                      + s[(rb & 0xff) + B3]);
          lc ^=
              s[p + C + 2]
                  ^ (((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1])
                          ^ s[(rc >>> 8 & 0xff) + C2])
                      + s[(rc & 0xff) + C3]);
        }
        int swapa = ra ^ s[A + 17];
        ra = la;
        la = swapa;
        s[i + A] = la;
        s[i + A + 1] = ra;
        int swapb = rb ^ s[B + 17];
        rb = lb;
        lb = swapb;
        s[i + B] = lb;
        s[i + B + 1] = rb;
        int swapc = rc ^ s[C + 17];
        rc = lc;
        lc = swapc;
        s[i + C] = lc;
        s[i + C + 1] = rc;
      }
    }
    Kernel.store(s, lanes, 3);
  }

  private static void expand4(LaneState[] lanes, int expansions) {
    int[] s = new int[4 * LaneState.WORDS];
    Kernel.load(lanes, 4, s);
    for (int half = 0; half < 2 * expansions; half++) {
      Kernel.mix(lanes, 4, (half & 1) == 0, s);
      int la = 0;
      int ra = 0;
      int lb = 0;
      int rb = 0;
      int lc = 0;
      int rc = 0;
      int ld = 0;
      int rd = 0;
      for (int i = 0; i < LaneState.WORDS; i += 2) {
        la ^= s[A];
        lb ^= s[B];
        lc ^= s[C];
        ld ^= s[D];
        for (int p = 0; p < 16; p += 2) {
          ra ^=
              s[p + A + 1]
                  ^ (((s[(la >>> 24) + A0] + s[(la >>> 16 & 0xff) + A1])
                          ^ s[(la >>> 8 & 0xff) + A2])
                      + s[(la & 0xff) + A3]);
          rb ^=
              s[p + B + 1]
                  ^ (((s[(lb >>> 24) + B0] + s[(lb >>> 16 & 0xff) + B1])
                          ^ s[(lb >>> 8 & 0xff) + B2])
                      + s[(lb & 0xff) + B3]);
          rc ^=
              s[p + C + 1]
                  ^ (((s[(lc >>> 24) + C0] + s[(lc >>> 16 & 0xff) + C1])
                          ^ s[(lc >>> 8 & 0xff) + C2])
                      + s[(lc & 0xff) + C3]);
          rd ^=
              s[p + D + 1]
                  ^ (((s[(ld >>> 24) + D0] + s[(ld >>> 16 & 0xff) + D1])
                          ^ s[(ld >>> 8 & 0xff) + D2])
                      + s[(ld & 0xff) + D3]);
          la ^=
              s[p + A + 2]
                  ^ (((s[(ra >>> 24) + A0] + s[(ra >>> 16 & 0xff) + A1])
                          ^ s[(ra >>> 8 & 0xff) + A2])
                      + s[(ra & 0xff) + A3]);
          lb ^=
              s[p + B + 2]
                  ^ (((s[(rb >>> 24) + B0] + s[(rb >>> 16 & 0xff) + B1])
                          ^ s[(rb >>> 8 & 0xff) + B2])
                      + s[(rb & 0xff) + B3]);
          lc ^=
              s[p + C + 2]
                  ^ (((s[(rc >>> 24) + C0] + s[(rc >>> 16 & 0xff) + C1])
                          ^ s[(rc >>> 8 & 0xff) + C2])
                      + s[(rc & 0xff) + C3]);
          ld ^=
              s[p + D + 2]
                  ^ (((s[(rd >>> 24) + D0] + s[(rd >>> 16 & 0xff) + D1])
                          ^ s[(rd >>> 8 & 0xff) + D2])
                      + s[(rd & 0xff) + D3]);
        }
        int swapa = ra ^ s[A + 17];
        ra = la;
        la = swapa;
        s[i + A] = la;
        s[i + A + 1] = ra;
        int swapb = rb ^ s[B + 17];
        rb = lb;
        lb = swapb;
        s[i + B] = lb;
        s[i + B + 1] = rb;
        int swapc = rc ^ s[C + 17];
        rc = lc;
        lc = swapc;
        s[i + C] = lc;
        s[i + C + 1] = rc;
        int swapd = rd ^ s[D + 17];
        rd = ld;
        ld = swapd;
        s[i + D] = ld;
        s[i + D + 1] = rd;
      }
    }
    Kernel.store(s, lanes, 4);
  }
}
