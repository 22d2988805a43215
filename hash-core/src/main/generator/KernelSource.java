/*
 * Writes the source of the kernels into the directory that the argument names: a class for each shape,
 * with a method for each number of lanes. dev.spillway.core.lanes.Kernel calls them and says why they
 * look as they do. They repeat F for each lane and round, so they are written by a program.
 */
static final int MAX_LANES = 5;
static final int ROUNDS = 16;

/** A lane's words in the array of all lanes: subkeys, then four S-boxes. */
static final int SUBKEYS = 18;

static final int BOX = 256;
static final int LANE = SUBKEYS + 4 * BOX;

void main(String[] args) throws IOException {
  write(args[0], "UnrolledKernels", ROUNDS, "java.util.Objects.checkIndex(X & 0xff, bound)");
  write(args[0], "RolledKernels", 2, "(X & 0xff)");
}

/**
 * @param inRow rounds in the body of the innermost loop; no loop if it has all of them
 * @param lowByte the index into the last S-box, of the half X
 */
void write(String directory, String name, int inRow, String lowByte) throws IOException {
  List<String> source = new ArrayList<>();
  source.add("package dev.spillway.core.lanes;");
  source.add("/** Written by KernelSource; {@link Kernel} says more. */");
  source.add("final class " + name + " {");
  source.add("static final int MAX_LANES = " + MAX_LANES + ";");
  source.add("private " + name + "() {}");
  source.add("static void expand(LaneState[] lanes, int busy, int expansions, int bound) {");
  source.add("switch (busy) {");
  for (int n = 1; n <= MAX_LANES; n++) {
    source.add("case %1$d -> expand%1$d(lanes, expansions, bound);".formatted(n));
  }
  source.add("default -> throw new IllegalArgumentException(busy + \" lanes\");");
  source.add("}");
  source.add("}");
  for (int n = 1; n <= MAX_LANES; n++) {
    method(source, n, inRow, lowByte);
  }
  source.add("}");

  Path file = Path.of(directory, "dev", "spillway", "core", "lanes", name + ".java");
  Files.createDirectories(file.getParent());
  // An unchanged file keeps its time, so that nothing is compiled again.
  if (!Files.exists(file) || !Files.readAllLines(file).equals(source)) {
    Files.write(file, source);
  }
}

void method(List<String> source, int lanes, int inRow, String lowByte) {
  source.add("private static void expand%d(LaneState[] lanes, int expansions, int bound) {".formatted(lanes));
  source.add("int[] s = new int[%d];".formatted(lanes * LANE));
  source.add("Kernel.load(lanes, %d, s);".formatted(lanes));
  source.add("for (int half = 0; half < 2 * expansions; half++) {");
  source.add("Kernel.mix(lanes, %d, (half & 1) == 0, s);".formatted(lanes));
  for (int n = 0; n < lanes; n++) {
    source.add("int l%1$d = 0; int r%1$d = 0;".formatted(n));
  }
  source.add("for (int i = 0; i < %d; i += 2) {".formatted(LANE));
  for (int n = 0; n < lanes; n++) {
    source.add("l%d ^= s[%d];".formatted(n, n * LANE));
  }
  boolean loop = inRow < ROUNDS;
  if (loop) {
    source.add("for (int p = 0; p < %d; p += %d) {".formatted(ROUNDS, inRow));
  }
  for (int round = 0; round < inRow; round++) {
    for (int n = 0; n < lanes; n++) {
      String from = (round % 2 == 0 ? "l" : "r") + n;
      String to = (round % 2 == 0 ? "r" : "l") + n;
      String subkey = (loop ? "p + " : "") + (n * LANE + 1 + round);
      source.add(
          "%s = %s ^ s[%s] ^ ((%s + %s ^ %s) + %s);"
              .formatted(
                  to,
                  to,
                  subkey,
                  fromBox(n, 0, "(" + from + " >>> 24)"),
                  fromBox(n, 1, "(" + from + " >>> 16 & 0xff)"),
                  fromBox(n, 2, "(" + from + " >>> 8 & 0xff)"),
                  fromBox(n, 3, lowByte.replace("X", from))));
    }
  }
  if (loop) {
    source.add("}");
  }
  for (int n = 0; n < lanes; n++) {
    source.add("int t%1$d = r%1$d ^ s[%2$d]; r%1$d = l%1$d; l%1$d = t%1$d;".formatted(n, n * LANE + 17));
    source.add("s[i + %2$d] = l%1$d; s[i + %3$d] = r%1$d;".formatted(n, n * LANE, n * LANE + 1));
  }
  source.add("}");
  source.add("}");
  source.add("Kernel.store(s, lanes, %d);".formatted(lanes));
  source.add("}");
}

String fromBox(int lane, int box, String index) {
  return "s[%s + %d]".formatted(index, lane * LANE + SUBKEYS + box * BOX);
}
