package dev.spillway.core.lanes;

import java.util.Arrays;

/**
 * bcrypt's costly part: expansions of the key schedule, with key and salt in turn, of as many lanes
 * as are busy. Everything else is done a lane at a time, in {@link LaneState}.
 *
 * <p>The kernels are the same computation for 1 to {@value #MAX_LANES} lanes, written by
 * src/main/generator/KernelSource.java when the project is built, in the shape that HotSpot's
 * optimising compiler makes the most of, and Graal's, which makes native images. What each point
 * brought is in benchmarks/results.
 *
 * <ul>
 *   <li>One array for all lanes, allocated in the method itself and copied in and out: the compiler
 *       knows its length and so drops every bounds check, and one register serves all lanes.
 *   <li>Indices with {@code + constant}, which the processor adds for nothing; {@code | constant}
 *       costs an instruction.
 *   <li>The subkey goes into the half before F does, so that it is not waited for.
 *   <li>One check a lane and round that never fails, against a bound that no compiler can know: the
 *       length of an array found in the heap. A constant that is passed as an argument is known to
 *       the analysis of a whole native image. In one long stretch of code the compilers would
 *       compute the indices of all lanes and rounds first, run out of registers and move most of
 *       them to the stack and back. The check ends the stretch: what belongs to one lane's round is
 *       then computed where it is used, and the processor, which looks hundreds of instructions
 *       ahead, overlaps the lanes by itself. Without the check three and four lanes lose a third of
 *       their speed.
 *   <li>No method over 8,000 bytecodes: HotSpot leaves such methods to the interpreter.
 *   <li>F is written out at every use, because whether a call is inlined is decided anew by every
 *       compiler and in every JVM.
 * </ul>
 *
 * <p>Five lanes, because the halves of six no longer fit into the registers of x86-64 beside what F
 * needs.
 */
final class Kernel {
  static final int MAX_LANES = Kernels.MAX_LANES;

  private Kernel() {}

  /** Expands the first {@code busy} lanes {@code expansions} times, with key and with salt. */
  static void expand(LaneState[] lanes, int busy, int expansions) {
    Kernels.expand(lanes, busy, expansions);
    for (int lane = 0; lane < busy; lane++) {
      lanes[lane].remaining -= expansions;
    }
  }

  /** Puts the state of the first {@code count} lanes side by side into {@code box}. */
  static void load(LaneState[] lanes, int count, int[] box) {
    for (int lane = 0; lane < count; lane++) {
      System.arraycopy(lanes[lane].state, 0, box, lane * LaneState.WORDS, LaneState.WORDS);
    }
  }

  /** Puts it back, and leaves nothing in {@code box}. */
  static void store(int[] box, LaneState[] lanes, int count) {
    for (int lane = 0; lane < count; lane++) {
      System.arraycopy(box, lane * LaneState.WORDS, lanes[lane].state, 0, LaneState.WORDS);
    }
    Arrays.fill(box, 0);
  }

  /** Mixes the key, or else the salt, of every lane into its subkeys. */
  static void mix(LaneState[] lanes, int count, boolean withKey, int[] box) {
    for (int lane = 0; lane < count; lane++) {
      int[] words = withKey ? lanes[lane].key : lanes[lane].salt;
      int at = lane * LaneState.WORDS;
      for (int i = 0; i < LaneState.P_WORDS; i++) {
        box[at + i] ^= words[i];
      }
    }
  }
}
