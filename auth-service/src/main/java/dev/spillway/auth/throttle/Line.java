package dev.spillway.auth.throttle;

import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The guesses of this instance under one key, as long as any is under way. It lets as many be
 * looked at side by side as may be wrong; the rest wait until it is known how those ended.
 */
final class Line {
  /*
   * Invariants, each pinned by the test that carries its number in ThrottleContract,
   * ThrottleCrowdContract or LineTest:
   *
   *   T1  Of any number of guesses at once, in any number of instances, at most `limit` that are
   *       wrong are looked at in a window, and `unreserved` more for each instance.
   *   T2  A right guess is not refused for others that are under way: it waits for them.
   *   T3  A lone guess costs the database nothing but the look-up that it makes anyway.
   *   T4  An attempt that gave up, was shed or whose client left leaves nothing behind.
   *   T5  At most two connections are borrowed for one key: by the head of the line, and by the
   *       attempt that counts a wrong guess. The rest wait without one.
   *
   * `unreserved` guesses proceed on the result of their look-up, unless more than the limit are
   * known to be wrong or reserved: then one of them was wrong. Every further one needs a
   * reservation in the database, which grants them while those and the wrong ones are fewer than
   * the limit. A reservation stays with the line and serves one guess after another; a wrong guess
   * uses it up. What is left when the last guess leaves is given back. If an instance dies, its
   * reservations are void at the end of the window; until then the others have `unreserved` ones
   * only.
   *
   * Waiting callers stand at `turn`, a fair semaphore; its holder alone waits for `changed`.
   */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final String key;
  private final Admission.Limit kind;
  private final int limit;
  private final int unreserved;
  private final Tallies tallies;
  private final InstantSource clock;
  private final Semaphore turn = new Semaphore(1, true);
  private final Semaphore counting = new Semaphore(1, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Those who are in the line or refer to it; guarded by the map it is in. */
  int members;

  // Guarded by lock.
  private int inUse;
  private int reserved;
  private long reservedIn = Tallies.NO_WINDOW;
  private Tally tally = Tally.NONE;
  private int version;
  private int spilling;

  Line(
      String key,
      Admission.Limit kind,
      int limit,
      int unreserved,
      Tallies tallies,
      InstantSource clock) {
    this.key = key;
    this.kind = kind;
    this.limit = limit;
    this.unreserved = unreserved;
    this.tallies = tallies;
    this.clock = clock;
  }

  String key() {
    return key;
  }

  /** Changes when more is known than a look-up begun before can tell. */
  int version() {
    lock.lock();
    try {
      return version;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a look-up has found.
   *
   * @param since the version when it was begun
   */
  void found(Tally found, int since) {
    lock.lock();
    try {
      tally = since == version ? found : tally.later(found);
    } finally {
      lock.unlock();
    }
  }

  Tally tally() {
    lock.lock();
    try {
      return tally;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the deadline at most. Who is admitted must {@link #end} or {@link #pay}. */
  Admission take(Deadline deadline) {
    if (full()) {
      return refused();
    }
    if (takeOne()) {
      return new Admission.Admitted();
    }
    if (!deadline.interruptibly(() -> tryAcquire(turn, deadline.remaining()))) {
      return new Admission.Late();
    }
    try {
      while (!deadline.passed()) {
        if (full()) {
          return refused();
        }
        if (takeOne() || reserve()) {
          return new Admission.Admitted();
        }
        if (!full()) {
          deadline.interruptibly(() -> awaitChange(deadline.limit(LOOK_AGAIN)));
        }
      }
      return new Admission.Late();
    } finally {
      turn.release();
    }
  }

  /** The guess was right, or was not looked at. */
  void end() {
    lock.lock();
    try {
      inUse--;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The guess was wrong: a reservation is used up for it, and the guess has ended.
   *
   * @return end of the window it was made in; {@link Tallies#NO_WINDOW}, and nothing has happened,
   *     if there is none
   */
  long pay() {
    lock.lock();
    try {
      if (reservations() == 0) {
        return Tallies.NO_WINDOW;
      }
      reserved--;
      inUse--;
      return reservedIn;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether one more guess may be spilled: if it, those that are and those that were wrong are no
   * more than {@code most}. Then it is one of them.
   *
   * @param wrong elsewhere
   */
  boolean spill(int wrong, int most) {
    lock.lock();
    try {
      boolean may = Math.max(wrong, tally.failures(clock.millis())) + spilling < most;
      spilling += may ? 1 : 0;
      return may;
    } finally {
      lock.unlock();
    }
  }

  /** It is known how a spilled guess ended. */
  void spilled() {
    lock.lock();
    try {
      spilling--;
    } finally {
      lock.unlock();
    }
  }

  /** What is in the database for certain. */
  void counted(Tally now) {
    lock.lock();
    try {
      version++;
      tally = now;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** A success has ended the count. */
  void succeeded() {
    counted(tally().succeeded(clock.millis()));
  }

  /** One connection at a time for counting; the caller must release it. */
  Semaphore counting() {
    return counting;
  }

  /** Once nobody is in the line any more. */
  void close() {
    int left;
    lock.lock();
    try {
      left = reservations();
      reserved = 0;
    } finally {
      lock.unlock();
    }
    if (left > 0) {
      tallies.giveBack(key, left, reservedIn);
    }
  }

  private boolean full() {
    lock.lock();
    try {
      return tally.failures(clock.millis()) >= limit;
    } finally {
      lock.unlock();
    }
  }

  private Admission refused() {
    return new Admission.Refused(kind, tally().leftOfWindow(clock.millis()));
  }

  private boolean takeOne() {
    lock.lock();
    try {
      long now = clock.millis();
      int reservations = reservations();
      boolean paid = inUse < reservations;
      boolean free = inUse < unreserved + reservations && tally.taken(now) <= limit;
      boolean may = tally.failures(now) < limit && (paid || free);
      if (may) {
        inUse++;
      }
      return may;
    } finally {
      lock.unlock();
    }
  }

  private boolean reserve() {
    int since = version();
    Tallies.Reserved answer = tallies.reserve(key, limit);
    lock.lock();
    try {
      found(answer.tally(), since);
      version++;
      if (answer.granted()) {
        long windowEnds = answer.tally().windowEnds();
        reserved = reservations() > 0 && reservedIn == windowEnds ? reserved + 1 : 1;
        reservedIn = windowEnds;
      }
      // What comes when its window is over is for nobody.
      boolean may = answer.granted() && reservations() > 0;
      inUse += may ? 1 : 0;
      return may;
    } finally {
      lock.unlock();
    }
  }

  private int reservations() {
    return reservedIn > clock.millis() ? reserved : 0;
  }

  private boolean awaitChange(Duration atMost) {
    lock.lock();
    try {
      return changed.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private static boolean tryAcquire(Semaphore semaphore, Duration atMost) {
    try {
      return semaphore.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
