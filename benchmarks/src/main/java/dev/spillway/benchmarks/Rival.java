package dev.spillway.benchmarks;

import dev.spillway.core.bcrypt.BcryptDigest;
import java.util.List;

/**
 * One way to compute bcrypt. {@code call} computes the digest of {@link Rivals#PASSWORD} as often
 * as it does in one go.
 */
record Rival(String name, Call call) {
  /** All digests of one call: they are equal, and checked before anything is measured. */
  @FunctionalInterface
  interface Call {
    List<BcryptDigest> compute();
  }
}
