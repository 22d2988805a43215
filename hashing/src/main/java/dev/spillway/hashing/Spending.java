package dev.spillway.hashing;

import java.util.Optional;

/** Decides whether the hashes of one caller, or of all callers, may be spilled. */
@FunctionalInterface
public interface Spending {
  /** Any hash may be spilled. */
  Spending UNLIMITED = () -> Optional.of(() -> {});

  /**
   * Asked once for each hash, when it is about to be spilled. A hash that may be spilled counts.
   *
   * @return what takes the hash out of the count again, for one that no target took; empty if the
   *     hash may not be spilled
   */
  Optional<Runnable> ask();

  /** Whether any hash may be spilled now; {@link #ask} decides about each. */
  default boolean open() {
    return true;
  }
}
