package dev.spillway.benchmarks;

/** One way to compute bcrypt: one call computes as many hashes as it does in one go. */
record Rival(String name, Call call) {
  @FunctionalInterface
  interface Call {
    /** How many hashes were computed; those that have a digest have been checked. */
    int hash();
  }
}
