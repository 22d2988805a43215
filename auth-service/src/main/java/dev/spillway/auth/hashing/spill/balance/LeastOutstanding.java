package dev.spillway.auth.hashing.spill.balance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Gives each call to the target with the fewest outstanding, as Rob Pike's load balancer does
 * ("Concurrency is not parallelism", 2012), on a heap. Unlike his workers, targets fail, and a
 * failing target is quick: by its outstanding calls alone it would look idle and be given
 * everything.
 */
public final class LeastOutstanding {
  /*
   * Invariants, each pinned by the test that carries its number in LeastOutstandingTest:
   *
   *   B1  A target's outstanding calls are the tickets taken for it and not ended. Ending a ticket
   *       twice ends it once.
   *   B2  No target has more calls outstanding than its bound.
   *   B3  Whoever asks is given a target of the least load among those that may be given more.
   *       Among equals a coin decides.
   *   B4  A failed call, and one the target declined, counts as load of its target for the first
   *       cool-down: a target that fails now and then is given less, not shut out.
   *   B5  Three failures without a success between them close a target for a cool-down, which
   *       doubles with every probe that fails. Failures of calls made earlier do not prolong it.
   *   B6  After its cool-down a closed target is given one call, the probe, and no other until that
   *       has ended.
   *   B7  A success opens a closed target, at first for two calls, for more with each success.
   *   B8  A throttled target counts as full for a moment, and then for what it had.
   *   B9  Where nothing is to be had, the answer is Cooling only if every target cools down.
   *   B10 A target that refuses us for good is closed at once, for the longest cool-down.
   *   B11 A second choice is never the first one, and never a probe.
   *
   * `wakes` holds what time alone will change; it is looked at whenever somebody asks, so there is
   * no thread and no timer. Everything is O(log n) under one lock, held for less than a microsecond.
   *
   * Rejected: two random choices, for its worse spread (docs/balancing.md).
   */
  private static final int FAILURES_TO_CLOSE = 3;

  /** A slot of a throttled function frees within a part of a call's time, whoever gave it work. */
  private static final CoolDown PAUSE = new CoolDown(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final Lock lock = new ReentrantLock();
  private final TargetLoad[] loads;
  private final LoadHeap heap;
  private final PriorityQueue<Wake> wakes = new PriorityQueue<>();
  private final CoolDown coolDown;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final IntUnaryOperator below;
  private int cooling;

  /**
   * @param bounds for each target, the calls that may be outstanding to it; at least one target
   * @param nanoClock as {@link System#nanoTime}
   * @param below a thread-safe source of uniform ints in {@code [0, bound)}
   */
  public LeastOutstanding(
      List<Integer> bounds, CoolDown coolDown, LongSupplier nanoClock, IntUnaryOperator below) {
    if (bounds.isEmpty() || bounds.stream().anyMatch(bound -> bound < 1)) {
      throw new IllegalArgumentException("at least one target, each with a bound of at least 1");
    }
    this.loads = bounds.stream().map(TargetLoad::new).toArray(TargetLoad[]::new);
    this.heap = new LoadHeap(loads.length, below);
    this.coolDown = coolDown;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.below = below;
  }

  /** A target for a call; never blocks. */
  public Choice take() {
    lock.lock();
    try {
      wakeUp();
      return taken(heap.top());
    } finally {
      lock.unlock();
    }
  }

  /** Another target for what {@code first} was asked for; see B11. */
  public Choice takeInsteadOf(int first) {
    lock.lock();
    try {
      wakeUp();
      List<Integer> aside = new ArrayList<>(List.of(first));
      heap.set(first, TargetLoad.CLOSED);
      while (heap.key(heap.top()) == TargetLoad.PROBE) {
        aside.add(heap.top());
        heap.set(heap.top(), TargetLoad.CLOSED);
      }
      Choice choice = taken(heap.top());
      aside.forEach(target -> heap.set(target, loads[target].key()));
      return choice;
    } finally {
      lock.unlock();
    }
  }

  /** The call is over. The target may be given another from now on. */
  public void end(Ticket ticket, Ending ending) {
    lock.lock();
    try {
      if (!ticket.endNow()) {
        return;
      }
      wakeUp();
      TargetLoad load = loads[ticket.target()];
      load.outstanding--;
      boolean wasCooling = load.cooling();
      boolean probe = load.probe == ticket;
      switch (ending) {
        case ANSWERED -> load.answered();
        case DECLINED -> {
          load.answered();
          keep(ticket.target());
        }
        case FAILED -> failed(ticket.target(), probe);
        case THROTTLED -> throttled(ticket.target(), probe);
        case FORBIDDEN -> {
          if (probe || !wasCooling) {
            close(ticket.target(), coolDown.longest().toNanos());
          }
        }
        case UNSETTLED -> {
          if (probe) {
            load.enter(TargetLoad.State.PROBE_DUE);
          }
        }
      }
      cooling += (load.cooling() ? 1 : 0) - (wasCooling ? 1 : 0);
      heap.set(ticket.target(), load.key());
    } finally {
      lock.unlock();
    }
  }

  public int outstanding(int target) {
    lock.lock();
    try {
      return loads[target].outstanding;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is left alone for having failed. */
  public boolean cooling(int target) {
    lock.lock();
    try {
      return loads[target].cooling();
    } finally {
      lock.unlock();
    }
  }

  /** Calls outstanding to each target, all at one moment. */
  public int[] outstanding() {
    lock.lock();
    try {
      return Arrays.stream(loads).mapToInt(load -> load.outstanding).toArray();
    } finally {
      lock.unlock();
    }
  }

  private Choice taken(int target) {
    TargetLoad load = loads[target];
    if (heap.key(target) == TargetLoad.CLOSED) {
      return cooling == loads.length ? new Choice.Cooling() : new Choice.Full();
    }
    boolean probe = load.state == TargetLoad.State.PROBE_DUE;
    Ticket ticket = new Ticket(target, probe);
    if (probe) {
      load.enter(TargetLoad.State.PROBING);
      load.probe = ticket;
    }
    load.outstanding++;
    heap.set(target, load.key());
    return new Choice.Taken(ticket);
  }

  private void failed(int target, boolean probe) {
    TargetLoad load = loads[target];
    if (load.cooling() && !probe) {
      return;
    }
    load.failures++;
    if (probe || load.failures >= FAILURES_TO_CLOSE) {
      load.coolDowns++;
      close(target, coolDown.nanos(load.coolDowns));
    } else {
      keep(target);
    }
  }

  private void throttled(int target, boolean probe) {
    TargetLoad load = loads[target];
    if ((load.cooling() && !probe) || load.state == TargetLoad.State.PAUSED) {
      return;
    }
    load.pauses++;
    load.enter(TargetLoad.State.PAUSED);
    load.shrink(load.outstanding, true);
    wakeIn(PAUSE.nanos(load.pauses), target);
  }

  private void close(int target, long nanos) {
    loads[target].enter(TargetLoad.State.COOLING);
    loads[target].failures = 0;
    wakeIn(nanos, target);
  }

  /** Where nothing is given out anyway, nothing need be kept. */
  private void keep(int target) {
    if (loads[target].state == TargetLoad.State.OPEN) {
      loads[target].kept++;
      wakeIn(coolDown.first().toNanos(), target);
    }
  }

  /** Up to a quarter later: instances that saw the same failure must not probe together. */
  private void wakeIn(long nanos, int target) {
    long jitter = (nanos >> 12) * below.applyAsInt(1024);
    wakes.add(new Wake(now() + nanos + jitter, target, loads[target].epoch));
  }

  private void wakeUp() {
    long now = now();
    while (!wakes.isEmpty() && wakes.peek().atNanos() <= now) {
      Wake wake = wakes.remove();
      TargetLoad load = loads[wake.target()];
      if (wake.epoch() != load.epoch) {
        continue;
      }
      switch (load.state) {
        case OPEN -> load.kept--;
        case PAUSED -> load.enter(TargetLoad.State.OPEN);
        case COOLING -> load.enter(TargetLoad.State.PROBE_DUE);
        case PROBE_DUE, PROBING -> {}
      }
      heap.set(wake.target(), load.key());
    }
  }

  private long now() {
    return nanoClock.getAsLong() - startNanos;
  }

  private record Wake(long atNanos, int target, int epoch) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
      return Long.compare(atNanos, other.atNanos);
    }
  }
}
