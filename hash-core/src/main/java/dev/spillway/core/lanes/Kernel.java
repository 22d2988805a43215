package dev.spillway.core.lanes;

/**
 * bcrypt's costly part: expansions of the key schedule, with key and salt in turn, of as many lanes
 * as are busy. Everything else is done a lane at a time, in {@link LaneState}.
 *
 * <p>All kernels are the same computation in the shape that HotSpot's optimising compiler makes the
 * most of. What it took, in the order of what it brought:
 *
 * <ul>
 *   <li>One array for all lanes, allocated in the method itself and copied in and out: the compiler
 *       knows its length and so drops every bounds check, and one register serves all lanes.
 *   <li>Indices with {@code + constant}, which the processor adds for nothing; {@code | constant}
 *       costs an instruction.
 *   <li>The subkey goes into the half before F does, so that it is not waited for.
 *   <li>In long stretches of straight code the compiler computes the indices of all lanes first,
 *       runs out of registers and spills them. Inner loops of two or four rounds, which it does not
 *       unroll, and a {@code loadLoadFence} between rounds, which on x86 is no instruction, keep
 *       the rounds apart. Which shape wins at how many lanes was found by trying
 *       (benchmarks/results).
 *   <li>No method over 8,000 bytecodes: HotSpot leaves such methods to the interpreter.
 * </ul>
 *
 * Repetition is the price: F is written out at every use, because whether a call is inlined is
 * decided anew by every compiler and in every JVM.
 */
final class Kernel {
  private Kernel() {}

  /** Expands the first {@code busy} lanes {@code expansions} times, with key and with salt. */
  static void expand(LaneState[] lanes, int busy, int expansions) {
    switch (busy) {
      case 1 -> Kernel1.expand(lanes[0], expansions);
      case 2 -> Kernel2.expand(lanes[0], lanes[1], expansions);
      case 3 -> Kernel3.expand(lanes[0], lanes[1], lanes[2], expansions);
      case 4 -> Kernel4.expand(lanes[0], lanes[1], lanes[2], lanes[3], expansions);
      default -> throw new IllegalArgumentException("no kernel for " + busy + " lanes");
    }
    for (int lane = 0; lane < busy; lane++) {
      lanes[lane].remaining -= expansions;
    }
  }

  /** Mixes the repeated key or salt into the subkeys of the lane that begins at {@code at}. */
  static void xor(int[] words, int[] box, int at) {
    for (int i = 0; i < LaneState.P_WORDS; i++) {
      box[at + i] ^= words[i];
    }
  }
}
