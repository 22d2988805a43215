package dev.spillway.auth.hashing.spill.balance;

/** What one target has to do, and whether it may be given more. Guarded by the balancer's lock. */
final class TargetLoad {
  /** Key of a target that may be given nothing. */
  static final int CLOSED = Integer.MAX_VALUE;

  /**
   * Key of a target that waits for its probe: before all others, or it would never be found well.
   */
  static final int PROBE = -1;

  enum State {
    /** In use. */
    OPEN,
    /** Throttled a moment ago; counts as full. */
    PAUSED,
    /** Failed; left alone. */
    COOLING,
    /** The cool-down is over; the next call is the probe. */
    PROBE_DUE,
    /** The probe is out. */
    PROBING
  }

  final int bound;
  State state = State.OPEN;
  int outstanding;

  /** Failed calls that still count as load. */
  int kept;

  /** Calls it may have now; at most {@link #bound}. */
  int window;

  /** Failures since the last success. */
  int failures;

  /** Cool-downs since the last success. */
  int coolDowns;

  /** Pauses since the last success. */
  int pauses;

  /** Tells wake-ups that were meant for an earlier state. */
  int epoch;

  /** The call of {@link State#PROBING}; null in every other state. */
  Ticket probe;

  /** After a throttle the window grows by one for each windowful of successes, else for each. */
  private boolean gently;

  private int successes;

  TargetLoad(int bound) {
    this.bound = bound;
    this.window = bound;
  }

  int key() {
    return switch (state) {
      case OPEN -> outstanding < window ? outstanding + kept : CLOSED;
      case PROBE_DUE -> outstanding < bound ? PROBE : CLOSED;
      case PAUSED, COOLING, PROBING -> CLOSED;
    };
  }

  boolean cooling() {
    return switch (state) {
      case COOLING, PROBE_DUE, PROBING -> true;
      case OPEN, PAUSED -> false;
    };
  }

  /** A success: what failed before is forgotten. */
  void answered() {
    failures = 0;
    coolDowns = 0;
    pauses = 0;
    switch (state) {
      case COOLING, PROBE_DUE, PROBING -> {
        enter(State.OPEN);
        // Those who were kept away must not all rush to a target of which one call is known to
        // work.
        shrink(outstanding + 2, false);
      }
      case OPEN -> grow();
      case PAUSED -> {}
    }
  }

  /** No more than this, for a start. */
  void shrink(int calls, boolean growGently) {
    window = Math.min(bound, Math.max(1, calls));
    gently = growGently;
    successes = 0;
  }

  /** Leaves the old state and what belongs to it behind. */
  void enter(State next) {
    state = next;
    epoch++;
    kept = 0;
    probe = null;
  }

  private void grow() {
    if (window < bound && (!gently || ++successes >= window)) {
      window++;
      successes = 0;
    }
  }
}
