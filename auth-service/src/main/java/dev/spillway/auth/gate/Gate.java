package dev.spillway.auth.gate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bound on the logins under way, checked before anything is done for them. A login without a place
 * is refused at almost no cost; docs/capacity.md has the argument.
 */
final class Gate {
  /*
   * Invariants, each pinned by the test that carries its number in GateTest:
   *
   *   G1  At most as many logins are inside as are served at once and may queue, as both were
   *       measured last. A login that is inside is never removed.
   *   G2  A place is given back once, however its login ends.
   *   G3  There is always a place for as many logins as are served at once, whatever was measured.
   *   G4  A queue that has stood for `maxWait` is kept short (CoDel's two bounds: a burst may wait
   *       for long, a standing queue only adds waiting). It counts as standing until it was empty.
   *   G5  While several networks come, a network may have no more places than are free (dynamic
   *       thresholds, Choudhury and Hahne 1998); a lone network leaves an eighth free, so that
   *       others find a place when they come. A network that has no place may take the last one.
   *   G6  A place whose login cost no hash stays taken for as long as a hash takes: requests that
   *       are refused behind the gate, or hung up, cannot come faster than hashes.
   *
   * All bounds are read together, and again after BOUNDS_LAST. There is no lock: `inside` is changed
   * by compare-and-set only, and never beyond the bound of that change.
   */
  private static final Duration BOUNDS_LAST = Duration.ofMillis(5);

  /** Of `maxWait`, for a burst: what is estimated too high must not become a wait too long. */
  private static final double BURST = 0.9;

  /** Of `maxWait`, for a line that stands. */
  private static final double STANDING = 0.35;

  private static final int LONE_LEAVES_FREE = 8;

  /** What hashing can do now. */
  interface Capacity {
    /** Logins served at once, here or by functions. */
    int served();

    /** Logins that may stand in line if none is to wait for longer than this. */
    int inLine(Duration wait);

    /** What one hash takes. */
    Duration hashTime();
  }

  private final Capacity capacity;
  private final Duration maxWait;
  private final LongSupplier nanoClock;
  private final BiConsumer<Duration, Runnable> later;
  private final NetworkPlaces networks;
  private final AtomicInteger inside = new AtomicInteger();
  private volatile Bounds bounds;

  /** When the line was empty, or could have been, for the last time. */
  private volatile long emptyNanos;

  private record Bounds(int served, int burst, int standing, long readNanos) {}

  /**
   * @param maxWait that a login may stand in line
   * @param nanoClock as {@link System#nanoTime}
   * @param later runs something after a time
   */
  Gate(
      Capacity capacity,
      Duration maxWait,
      LongSupplier nanoClock,
      BiConsumer<Duration, Runnable> later) {
    this.capacity = capacity;
    this.maxWait = maxWait;
    this.nanoClock = nanoClock;
    this.later = later;
    this.networks = new NetworkPlaces(nanoClock);
    this.emptyNanos = nanoClock.getAsLong();
    this.bounds = read();
  }

  /**
   * A place for a login, or why there is none. Never waits.
   *
   * @param network where it comes from; not asked if there is no place for anybody
   */
  Entry enter(Supplier<String> network) {
    long now = nanoClock.getAsLong();
    int places = places(now);
    if (inside.get() >= places) {
      return Entry.FULL;
    }
    String from = network.get();
    boolean lone = networks.lone(from);
    while (true) {
      int taken = inside.get();
      int free = places - taken;
      if (free <= 0) {
        return Entry.FULL;
      }
      int own = networks.taken(from);
      int mayHave = lone ? places - Math.max(1, places / LONE_LEAVES_FREE) : free;
      if (own > 0 && own >= mayHave) {
        return Entry.SHARE_USED;
      }
      if (inside.compareAndSet(taken, taken + 1)) {
        networks.take(from);
        return new Entry.Place(this, from, now);
      }
    }
  }

  /** Networks that have a place. */
  int networks() {
    return networks.size();
  }

  /** Logins that have a place. */
  int inside() {
    return inside.get();
  }

  /** Places there are now. */
  int places() {
    return places(nanoClock.getAsLong());
  }

  /**
   * See G2 and G6; called once for a place.
   *
   * @param hashed whether the login cost a hash
   */
  void leave(Entry.Place place, boolean hashed) {
    Duration left =
        hashed
            ? Duration.ZERO
            : capacity.hashTime().minusNanos(nanoClock.getAsLong() - place.sinceNanos());
    if (left.isPositive()) {
      later.accept(left, () -> free(place.network()));
    } else {
      free(place.network());
    }
  }

  private void free(String network) {
    networks.giveBack(network);
    if (inside.decrementAndGet() <= bounds.served()) {
      emptyNanos = nanoClock.getAsLong();
    }
  }

  private int places(long now) {
    Bounds known = bounds;
    if (now - known.readNanos() > BOUNDS_LAST.toNanos()) {
      known = read();
      bounds = known;
    }
    if (inside.get() <= known.served()) {
      emptyNanos = now;
    }
    return now - emptyNanos <= maxWait.toNanos() ? known.burst() : known.standing();
  }

  private Bounds read() {
    int served = capacity.served();
    return new Bounds(
        served,
        served + capacity.inLine(part(BURST)),
        served + capacity.inLine(part(STANDING)),
        nanoClock.getAsLong());
  }

  private Duration part(double share) {
    return Duration.ofNanos((long) (maxWait.toNanos() * share));
  }
}
