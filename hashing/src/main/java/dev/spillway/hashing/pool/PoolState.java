package dev.spillway.hashing.pool;

import java.time.Duration;

/** The figures of a pool at this moment. */
public interface PoolState {
  /** Hashes that may run at once: threads times lanes. */
  int size();

  /** Hashing threads. */
  int threads();

  /** Permits nobody holds. */
  int free();

  /** Callers in line; an estimate while they come and go. */
  int waiting();

  /** What one hash of {@code cost} takes beside others in every lane; zero while not measured. */
  Duration hashTime(int cost);

  /** How long a caller who came now would stand in line; zero while nothing is measured. */
  Duration expectedWait();
}
