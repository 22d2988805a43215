package dev.spillway.hashing.spill.balance;

/** One call outstanding to one target. */
public final class Ticket {
  private final int target;
  private final boolean probe;

  /** Guarded by the balancer's lock. */
  private boolean ended;

  Ticket(int target, boolean probe) {
    this.target = target;
    this.probe = probe;
  }

  /** The target's number. */
  public int target() {
    return target;
  }

  /** Whether this call decides alone if its target is in use again. */
  public boolean probe() {
    return probe;
  }

  /** Whether this is the first time it was told. */
  boolean endNow() {
    boolean first = !ended;
    ended = true;
    return first;
  }
}
