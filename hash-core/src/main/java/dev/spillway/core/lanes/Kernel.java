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
 *   <li>States, keys and salts come in one array too. With an object for each lane in reach of the
 *       loop, HotSpot allocates registers worse: five lanes lose a tenth.
 *   <li>Indices with {@code + constant}, which the processor adds for nothing; {@code | constant}
 *       costs an instruction.
 *   <li>The subkey goes into the half before F does, so that it is not waited for.
 *   <li>One check a lane and round that never fails, against a bound that no compiler can know: the
 *       length of an array, passed as an argument. A constant argument would be known to the
 *       analysis of a whole native image. In one long stretch of code the compilers would compute
 *       the indices of all lanes and rounds first, run out of registers and move most of them to
 *       the stack and back. The check ends the stretch: what belongs to one lane's round is then
 *       computed where it is used, and the processor, which looks hundreds of instructions ahead,
 *       overlaps the lanes by itself. Without the check three and four lanes lose a third of their
 *       speed.
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
    int[] box = new int[busy * (LaneState.WORDS + 2 * LaneState.P_WORDS)];
    int keys = busy * LaneState.WORDS;
    int salts = keys + busy * LaneState.P_WORDS;
    for (int lane = 0; lane < busy; lane++) {
      LaneState from = lanes[lane];
      System.arraycopy(from.state, 0, box, lane * LaneState.WORDS, LaneState.WORDS);
      System.arraycopy(from.key, 0, box, keys + lane * LaneState.P_WORDS, LaneState.P_WORDS);
      System.arraycopy(from.salt, 0, box, salts + lane * LaneState.P_WORDS, LaneState.P_WORDS);
    }
    Kernels.expand(box, busy, expansions, box.length);
    for (int lane = 0; lane < busy; lane++) {
      System.arraycopy(box, lane * LaneState.WORDS, lanes[lane].state, 0, LaneState.WORDS);
      lanes[lane].remaining -= expansions;
    }
    Arrays.fill(box, 0); // what is left of the passwords
  }

  /** Mixes the keys, or else the salts, of all lanes into their subkeys. */
  static void mix(int[] box, int lanes, int half, int[] s) {
    for (int lane = 0; lane < lanes; lane++) {
      int from = lanes * LaneState.WORDS + (half * lanes + lane) * LaneState.P_WORDS;
      int to = lane * LaneState.WORDS;
      for (int i = 0; i < LaneState.P_WORDS; i++) {
        s[to + i] ^= box[from + i];
      }
    }
  }
}
