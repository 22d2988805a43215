package dev.spillway.hashing.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * What the pool can do: hashes that end in a second while every permit is out, as measured over the
 * last seconds in which that was so.
 */
final class Departures {
  /*
   * Invariants, each pinned by the test that carries its number in DeparturesTest:
   *
   *   R1  Only time counts in which callers waited for a permit: a pool that has little to do
   *       finishes little, and a hash alone on its core takes less time than beside others.
   *   R2  After a change of speed to a tenth or tenfold the estimate is within a tenth of the new
   *       one after six windows of such time.
   *   R3  A stall shows without a departure: time since the last one counts once it is longer than
   *       an interval should be.
   *   R4  Hashes of different costs count by their work, which doubles with each cost.
   *   R5  A hash that was abandoned is no work done: clients that hang up make no pool faster.
   *
   * There is no lock: a hash thread runs at a low priority and may be preempted anywhere, and event
   * loops read the estimate.
   */
  private static final double WINDOW_SECONDS = 1;

  /** How much the newest hash counts in {@link State#usual}. */
  private static final double NEWEST = 1.0 / 16;

  private final LongSupplier nanoClock;
  private final AtomicReference<State> state;

  /**
   * @param work done in {@code seconds}, both fading
   * @param usual work of one hash
   * @param lastNanos when the last hash ended
   * @param full whether somebody waited then, so that every permit is out until the next one ends
   */
  private record State(double work, double seconds, double usual, long lastNanos, boolean full) {}

  /**
   * @param cost that hashes are expected to have
   * @param nanoClock as {@link System#nanoTime}
   */
  Departures(int cost, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.state = new AtomicReference<>(new State(0, 0, work(cost), nanoClock.getAsLong(), false));
  }

  /**
   * A permit came back.
   *
   * @param cost of its hash
   * @param digested whether the hash came to its end
   * @param awaited whether a caller waits for the permit
   */
  void departed(int cost, boolean digested, boolean awaited) {
    long now = nanoClock.getAsLong();
    state.updateAndGet(
        old -> {
          double done = digested ? work(cost) : 0;
          double usual = digested ? old.usual + (done - old.usual) * NEWEST : old.usual;
          if (!old.full) {
            return new State(old.work, old.seconds, usual, now, awaited);
          }
          double interval = Math.max(0, now - old.lastNanos) / 1e9;
          double kept = Math.exp(-interval / WINDOW_SECONDS);
          return new State(
              old.work * kept + done, old.seconds * kept + interval, usual, now, awaited);
        });
  }

  /** What was measured so far says nothing: the JVM was cold. */
  void forget() {
    state.updateAndGet(old -> new State(0, 0, old.usual, nanoClock.getAsLong(), false));
  }

  /** Hashes from now on have this cost, as far as is known: those before were for practice. */
  void expect(int cost) {
    state.updateAndGet(
        old -> new State(old.work, old.seconds, work(cost), old.lastNanos, old.full));
  }

  /** Hashes of the usual work that end in a second; 0 before anything was measured. */
  double perSecond() {
    State now = state.get();
    return speed(now) / now.usual;
  }

  /** What the pool takes for so many hashes of one cost; zero before anything was measured. */
  Duration timeFor(int hashes, int cost) {
    double speed = speed(state.get());
    return speed == 0
        ? Duration.ZERO
        : Duration.ofNanos((long) (hashes * work(cost) / speed * 1e9));
  }

  private double speed(State now) {
    if (now.seconds == 0) {
      return 0;
    }
    double speed = now.work / now.seconds;
    if (!now.full) {
      return speed;
    }
    double open = Math.max(0, nanoClock.getAsLong() - now.lastNanos) / 1e9;
    return Math.min(speed, (now.work + now.usual) / (now.seconds + open));
  }

  private static double work(int cost) {
    return 1L << cost;
  }
}
