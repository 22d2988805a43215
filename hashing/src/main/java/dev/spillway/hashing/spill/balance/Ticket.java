package dev.spillway.hashing.spill.balance;

/** One call outstanding to one target. */
public final class Ticket {
  private final TargetLoad load;
  private final boolean probe;

  /** Guarded by the balancer's lock. */
  private boolean ended;

  Ticket(TargetLoad load, boolean probe) {
    this.load = load;
    this.probe = probe;
  }

  /** The target's number. */
  public int target() {
    return load.number;
  }

  /** Whether this call decides alone if its target is in use again. */
  public boolean probe() {
    return probe;
  }

  TargetLoad load() {
    return load;
  }

  /** Whether this is the first time it was told. */
  boolean endNow() {
    boolean first = !ended;
    ended = true;
    return first;
  }
}
