/*
 * Writes the source of the kernels into the directory that the argument names: a method for each number
 * of lanes. dev.spillway.core.lanes.Kernel calls them and says why they look as they do. They repeat F
 * for each lane and round, so they are written by a program.
 */

static final int MAX_LANES = 5;
static final int ROUNDS = 16;

/** A lane's words in the array of all lanes: subkeys, then four S-boxes. */
static final int SUBKEYS = 18;

static final int BOX = 256;
static final int LANE = SUBKEYS + 4 * BOX;

final List<String> source = new ArrayList<>();

void main(String[] args) throws IOException {
  write("package dev.spillway.core.lanes;");
  write("import static java.util.Objects.checkIndex;");
  write("/** Written by KernelSource; {@link Kernel} says more. */");
  write("final class Kernels {");
  write("static final int MAX_LANES = %d;", MAX_LANES);
  write("private Kernels() {}");
  write("static void expand(int[] box, int busy, int expansions, int bound) {");
  write("switch (busy) {");
  for (int n = 1; n <= MAX_LANES; n++) {
    write("case %1$d -> expand%1$d(box, expansions, bound);", n);
  }
  write("default -> throw new IllegalArgumentException(busy + \" lanes\");");
  write("}");
  write("}");
  for (int n = 1; n <= MAX_LANES; n++) {
    method(n);
  }
  write("}");

  Path file = Path.of(args[0], "dev", "spillway", "core", "lanes", "Kernels.java");
  Files.createDirectories(file.getParent());
  // An unchanged file keeps its time, so that nothing is compiled again.
  if (!Files.exists(file) || !Files.readAllLines(file).equals(source)) {
    Files.write(file, source);
  }
}

void method(int lanes) {
  write("private static void expand%d(int[] box, int expansions, int bound) {", lanes);
  write("int[] s = new int[%d];", lanes * LANE);
  write("System.arraycopy(box, 0, s, 0, %d);", lanes * LANE);
  write("for (int half = 0; half < 2 * expansions; half++) {");
  write("Kernel.mix(box, %d, half & 1, s);", lanes);
  for (int n = 0; n < lanes; n++) {
    write("int l%1$d = 0; int r%1$d = 0;", n);
  }
  write("for (int i = 0; i < %d; i += 2) {", LANE);
  for (int n = 0; n < lanes; n++) {
    write("l%d ^= s[%d];", n, n * LANE);
  }
  for (int round = 1; round <= ROUNDS; round++) {
    for (int n = 0; n < lanes; n++) {
      round(round, n);
    }
  }
  for (int n = 0; n < lanes; n++) {
    write("int t%1$d = r%1$d ^ s[%2$d]; r%1$d = l%1$d; l%1$d = t%1$d;", n, n * LANE + ROUNDS + 1);
    write("s[i + %2$d] = l%1$d; s[i + %3$d] = r%1$d;", n, n * LANE, n * LANE + 1);
  }
  write("}");
  write("}");
  write("System.arraycopy(s, 0, box, 0, %d);", lanes * LANE);
  write("java.util.Arrays.fill(s, 0);");
  write("}");
}

/** The halves change roles from round to round. */
void round(int round, int lane) {
  String from = (round % 2 == 1 ? "l" : "r") + lane;
  String to = (round % 2 == 1 ? "r" : "l") + lane;
  int box = lane * LANE + SUBKEYS;
  write("%1$s = %1$s ^ s[%2$d]", to, lane * LANE + round);
  write("^ (((s[(%s >>> 24) + %d]", from, box);
  write("+ s[(%s >>> 16 & 0xff) + %d])", from, box + BOX);
  write("^ s[(%s >>> 8 & 0xff) + %d])", from, box + 2 * BOX);
  write("+ s[checkIndex(%s & 0xff, bound) + %d]);", from, box + 3 * BOX);
}

void write(String line, Object... values) {
  source.add(line.formatted(values));
}
