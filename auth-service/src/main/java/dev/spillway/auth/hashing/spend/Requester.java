package dev.spillway.auth.hashing.spend;

/** The side of a hash that spilling it is weighed for: an attempt, or an admin. */
@FunctionalInterface
public interface Requester {
  /** An admin who sets a password. */
  Requester TRUSTED = () -> Standing.AT_HOME;

  /**
   * Its standing now. Asked once for each hash, when it is about to be spilled and not before: what
   * others did meanwhile counts, and so does this hash from now on.
   */
  Standing standing();

  /**
   * What was asked for was not spilled in the end; told once at most for each {@link #standing}.
   */
  default void notSpilled() {}
}
