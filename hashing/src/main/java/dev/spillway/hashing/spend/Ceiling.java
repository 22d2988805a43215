package dev.spillway.hashing.spend;

/** Decides whether a hash may be spilled. */
@FunctionalInterface
public interface Ceiling {
  /** Whether this hash may be spilled; if so it counts. */
  Purchase ask(Customer customer);

  /** Whether any hash may be spilled now; whose, {@link #ask} decides. */
  default boolean open() {
    return true;
  }

  /**
   * A hash that might have been spilled was not: no target took it. It does not count any more.
   *
   * @param allowed what {@link #ask} answered
   */
  default void notSpilled(Purchase.Allowed allowed, Customer customer) {}
}
