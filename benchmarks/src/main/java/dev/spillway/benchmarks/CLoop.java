package dev.spillway.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/** The kernel as a loop in C, compiled where there is a compiler: the limit to measure against. */
final class CLoop {
  static final int MAX_LANES = 8;

  private static final int SUBKEYS = 18;
  private static final int WORDS = SUBKEYS + 4 * 256;

  /** A lane's words, key and salt. */
  private static final int LANE = WORDS + 2 * SUBKEYS;

  private final MethodHandle expand;
  private final MemorySegment box =
      Arena.global().allocate(ValueLayout.JAVA_INT, (long) MAX_LANES * LANE);

  private CLoop(MemorySegment function) {
    expand =
        Linker.nativeLinker()
            .downcallHandle(
                function,
                FunctionDescriptor.ofVoid(
                    ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /**
   * The loop, if there is a C compiler.
   *
   * @throws IllegalStateException if it computes something else than a plain loop in Java
   */
  static Optional<CLoop> find() {
    if (!Surroundings.has("cc")) {
      return Optional.empty();
    }
    try {
      Path directory = Files.createTempDirectory("spillway-c");
      Path source = directory.resolve("lanes.c");
      Path library = directory.resolve("lanes.so");
      try (InputStream text = CLoop.class.getResourceAsStream("lanes.c")) {
        Files.copy(text, source);
      }
      int code =
          new ProcessBuilder(
                  "cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        throw new IllegalStateException("cc ended with " + code);
      }
      CLoop loop =
          new CLoop(SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("expand"));
      Files.delete(library);
      Files.delete(source);
      Files.delete(directory);
      loop.check();
      return Optional.of(loop);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** What {@code lanes} hashes of this cost spend almost all of their time on. */
  int hash(int lanes, int cost) {
    expand(lanes, 1 << cost);
    return lanes;
  }

  private void expand(int lanes, int expansions) {
    try {
      expand.invokeExact(box, lanes, expansions);
    } catch (Throwable e) {
      throw new IllegalStateException("expand", e);
    }
  }

  private void check() {
    for (int lanes = 1; lanes <= MAX_LANES; lanes++) {
      int[] words = new Random(lanes).ints((long) lanes * LANE).toArray();
      MemorySegment.copy(words, 0, box, ValueLayout.JAVA_INT, 0, words.length);
      expand(lanes, 2);
      for (int lane = 0; lane < lanes; lane++) {
        int[] expected = Arrays.copyOfRange(words, lane * WORDS, (lane + 1) * WORDS);
        int key = lanes * WORDS + lane * SUBKEYS;
        int salt = key + lanes * SUBKEYS;
        for (int at : new int[] {key, salt, key, salt}) {
          plain(expected, Arrays.copyOfRange(words, at, at + SUBKEYS));
        }
        for (int i = 0; i < WORDS; i++) {
          if (box.getAtIndex(ValueLayout.JAVA_INT, (long) lane * WORDS + i) != expected[i]) {
            throw new IllegalStateException("lanes.c is wrong with " + lanes + " lanes");
          }
        }
      }
    }
  }

  /** One expansion of one lane. */
  private static void plain(int[] s, int[] mixed) {
    for (int i = 0; i < SUBKEYS; i++) {
      s[i] ^= mixed[i];
    }
    int left = 0;
    int right = 0;
    for (int i = 0; i < WORDS; i += 2) {
      for (int round = 0; round < 16; round++) {
        left ^= s[round];
        int f =
            ((s[SUBKEYS + (left >>> 24)] + s[SUBKEYS + 256 + (left >>> 16 & 0xff)])
                    ^ s[SUBKEYS + 512 + (left >>> 8 & 0xff)])
                + s[SUBKEYS + 768 + (left & 0xff)];
        int other = right ^ f;
        right = left;
        left = other;
      }
      int last = right ^ s[17];
      right = left ^ s[16];
      left = last;
      s[i] = left;
      s[i + 1] = right;
    }
  }
}
