package dev.spillway.hashing.spill.balance;

/** A target to call, or why there is none. */
public sealed interface Choice {
  /** Call it, then {@link LeastOutstanding#end} the ticket, whatever happens. */
  record Taken(Ticket ticket) implements Choice {}

  /** Some target works, but has as many calls as it may have. */
  record Full() implements Choice {}

  /** Every target fails; each is probed by one call now and then. */
  record Cooling() implements Choice {}

  /** There is no target. */
  record None() implements Choice {}
}
