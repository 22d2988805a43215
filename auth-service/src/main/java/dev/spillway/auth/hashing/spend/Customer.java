package dev.spillway.auth.hashing.spend;

/** Who asks for a hash, when it comes to paying for it. */
@FunctionalInterface
public interface Customer {
  /** One of the house: an admin who sets a password. */
  Customer TRUSTED = () -> Standing.AT_HOME;

  /**
   * How it stands now. Asked once for each hash, when it is about to be spilled and not before:
   * what others did meanwhile counts, and so does this one from now on.
   */
  Standing standing();

  /**
   * What was asked for was not spilled in the end; told once at most for each {@link #standing}.
   */
  default void notSpilled() {}
}
