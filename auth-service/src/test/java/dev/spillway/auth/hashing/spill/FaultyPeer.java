package dev.spillway.auth.hashing.spill;

import dev.spillway.locallambda.fault.Fault;

/**
 * Something in the function's place that can be made to fail, where {@code Spilling} says it is.
 */
interface FaultyPeer extends AutoCloseable {
  /** False if it cannot have that fault. */
  boolean inject(Fault fault);

  void heal();

  /** Has this many environments that need not be started. */
  default void warm(int environments) {}

  /** Calls that are answered at once when all is well. */
  int capacity();

  @Override
  void close();
}
