package dev.spillway.hashing.spill.balance;

import java.util.ArrayList;
import java.util.List;
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
   * Invariants, each pinned by the test that carries its number in LeastOutstandingTest
   * or CoolingTargetTest:
   *
   *   B1  A target's outstanding calls are the tickets taken for it and not ended. Ending a ticket
   *       twice ends it once.
   *   B2  No target has more calls outstanding than its bound.
   *   B3  A caller is given a target of the least load among those that may be given more.
   *       Among equals a coin decides.
   *   B4  A failed call, a slow one, and one the target declined count as load of their target for
   *       the first cool-down: a target that fails now and then is given less, not shut out.
   *   B5  Three failures without a success between them close a target for a cool-down, which
   *       doubles with every probe that fails. Failures of calls made earlier do not prolong it.
   *   B6  After its cool-down a closed target is given one call, the probe, and no other until that
   *       has ended.
   *   B7  A success opens a closed target, at first for two calls, for more with each success.
   *   B8  A throttled target counts as full for a moment, and then for what it had.
   *   B9  Where nothing is to be had, the answer is Cooling only if every target cools down, and
   *       None only if there is no target.
   *   B10 A target that refuses us for good is closed at once, for the longest cool-down.
   *   B11 A second choice is never the first one, and never a probe.
   *
   * `wakes` holds what time alone will change; it is looked at whenever somebody asks, so there is
   * no thread and no timer. Everything is O(log n) under one lock, held for less than a microsecond.
   *
   * Rejected: two random choices, for its worse spread (docs/balancing.md).
   */
  private final Lock lock = new ReentrantLock();

  /** By number. */
  private final List<TargetLoad> loads = new ArrayList<>();

  private final LoadHeap heap;
  private final Wakes wakes;
  private final CoolDown coolDown;
  private int cooling;

  /**
   * @param bounds for each target, the calls that may be outstanding to it; numbered from 0
   * @param nanoClock as {@link System#nanoTime}
   * @param below a thread-safe source of uniform ints in {@code [0, bound)}
   */
  public LeastOutstanding(
      List<Integer> bounds, CoolDown coolDown, LongSupplier nanoClock, IntUnaryOperator below) {
    this.heap = new LoadHeap(below);
    this.wakes = new Wakes(nanoClock, below);
    this.coolDown = coolDown;
    for (int bound : bounds) {
      if (bound < 1) {
        throw new IllegalArgumentException("a target's bound is at least 1");
      }
      TargetLoad load = new TargetLoad(loads.size(), bound);
      loads.add(load);
      heap.add(load);
    }
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
      List<TargetLoad> aside = new ArrayList<>();
      aside.add(loads.get(first));
      heap.set(loads.get(first), TargetLoad.CLOSED);
      while (heap.size() > 0 && heap.top().heapKey == TargetLoad.PROBE) {
        aside.add(heap.top());
        heap.set(heap.top(), TargetLoad.CLOSED);
      }
      Choice choice = taken(heap.top());
      aside.forEach(heap::update);
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
      TargetLoad load = loads.get(ticket.target());
      boolean wasCooling = load.cooling();
      long nanos = load.ended(ticket, ending, coolDown);
      if (nanos > 0) {
        wakes.in(nanos, load);
      }
      cooling += (load.cooling() ? 1 : 0) - (wasCooling ? 1 : 0);
      heap.update(load);
    } finally {
      lock.unlock();
    }
  }

  /** Calls that could be made now, over all targets; a target that waits for its probe has one. */
  public int free() {
    lock.lock();
    try {
      wakeUp();
      return loads.stream().mapToInt(TargetLoad::free).sum();
    } finally {
      lock.unlock();
    }
  }

  /** Calls outstanding to one target. */
  public int outstanding(int target) {
    lock.lock();
    try {
      return loads.get(target).outstanding;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is left alone for having failed. */
  public boolean cooling(int target) {
    lock.lock();
    try {
      return loads.get(target).cooling();
    } finally {
      lock.unlock();
    }
  }

  /** Calls outstanding to each target, by number, all at one moment. */
  public int[] outstanding() {
    lock.lock();
    try {
      return loads.stream().mapToInt(load -> load.outstanding).toArray();
    } finally {
      lock.unlock();
    }
  }

  private Choice taken(TargetLoad load) {
    if (load == null) {
      return new Choice.None();
    }
    if (load.heapKey == TargetLoad.CLOSED) {
      return cooling == heap.size() ? new Choice.Cooling() : new Choice.Full();
    }
    Ticket ticket = load.taken();
    heap.update(load);
    return new Choice.Taken(ticket);
  }

  private void wakeUp() {
    for (TargetLoad load = wakes.due(); load != null; load = wakes.due()) {
      load.due();
      heap.update(load);
    }
  }
}
