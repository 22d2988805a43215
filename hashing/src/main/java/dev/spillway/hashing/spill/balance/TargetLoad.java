package dev.spillway.hashing.spill.balance;

import java.time.Duration;

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

  private static final int FAILURES_TO_CLOSE = 3;

  /**
   * A slot of a throttled function frees within a part of a call's time, whichever instance gave it
   * work.
   */
  private static final CoolDown PAUSE = new CoolDown(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** Time alone will change nothing. */
  private static final long NEVER = 0;

  final int number;
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

  /** Where {@link LoadHeap} has it, and under which key; the heap's own. */
  int place;

  int heapKey;

  /** After a throttle the window grows by one for each windowful of successes, else for each. */
  private boolean gently;

  private int successes;

  TargetLoad(int number, int bound) {
    this.number = number;
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

  /** Calls it could be given now. */
  int free() {
    return switch (state) {
      case OPEN -> Math.max(0, window - outstanding);
      case PROBE_DUE -> outstanding < bound ? 1 : 0;
      case PAUSED, COOLING, PROBING -> 0;
    };
  }

  boolean cooling() {
    return switch (state) {
      case COOLING, PROBE_DUE, PROBING -> true;
      case OPEN, PAUSED -> false;
    };
  }

  /** A call is made. */
  Ticket taken() {
    boolean probe = state == State.PROBE_DUE;
    Ticket ticket = new Ticket(number, probe);
    if (probe) {
      enter(State.PROBING);
      this.probe = ticket;
    }
    outstanding++;
    return ticket;
  }

  /**
   * A call has ended.
   *
   * @return nanoseconds until {@link #due}; 0 for never
   */
  long ended(Ticket ticket, Ending ending, CoolDown coolDown) {
    outstanding--;
    boolean isProbe = probe == ticket;
    return switch (ending) {
      case ANSWERED -> {
        answered();
        yield NEVER;
      }
      case SLOW, DECLINED -> {
        answered();
        yield keep(coolDown);
      }
      case FAILED -> failed(isProbe, coolDown);
      case THROTTLED -> throttled(isProbe);
      case FORBIDDEN -> isProbe || !cooling() ? close(coolDown.longest().toNanos()) : NEVER;
      case UNSETTLED -> {
        if (isProbe) {
          enter(State.PROBE_DUE);
        }
        yield NEVER;
      }
    };
  }

  /** What time alone changes. */
  void due() {
    switch (state) {
      case OPEN -> kept--;
      case PAUSED -> enter(State.OPEN);
      case COOLING -> enter(State.PROBE_DUE);
      case PROBE_DUE, PROBING -> {}
    }
  }

  private long failed(boolean isProbe, CoolDown coolDown) {
    if (cooling() && !isProbe) {
      return NEVER;
    }
    failures++;
    if (isProbe || failures >= FAILURES_TO_CLOSE) {
      coolDowns++;
      return close(coolDown.nanos(coolDowns));
    }
    return keep(coolDown);
  }

  private long throttled(boolean isProbe) {
    if ((cooling() && !isProbe) || state == State.PAUSED) {
      return NEVER;
    }
    pauses++;
    enter(State.PAUSED);
    shrink(outstanding, true);
    return PAUSE.nanos(pauses);
  }

  private long close(long nanos) {
    enter(State.COOLING);
    failures = 0;
    return nanos;
  }

  /** Where nothing is given out anyway, nothing need be kept. */
  private long keep(CoolDown coolDown) {
    if (state != State.OPEN) {
      return NEVER;
    }
    kept++;
    return coolDown.first().toNanos();
  }

  /** A success: what failed before is forgotten. */
  private void answered() {
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
  private void shrink(int calls, boolean growGently) {
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
