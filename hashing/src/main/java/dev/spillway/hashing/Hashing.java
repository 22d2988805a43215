package dev.spillway.hashing;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.hashing.HashAnswer.Path;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.pool.PoolAnswer;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Decides who computes a hash. In order of resort: the pool, if it admits within the enqueue
 * timeout; a function elsewhere, if money may be spent on it; the pool once more, with what is left
 * of the time allowed in line; and else the request is shed.
 *
 * <p>All methods block the calling (virtual) thread, until the deadline at the latest. A deadline
 * that comes early wakes it.
 */
public final class Hashing {
  /** Many times what a hash takes; where it is not enough, there is nothing to spare. */
  private static final Duration SPARE_PATIENCE = Duration.ofSeconds(10);

  private final HashPool pool;
  private final Spill spill;
  private final Spending spending;
  private final int cost;
  private final HashingMeters meters;
  private final Duration enqueueTimeout;
  private final Duration maxWait;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param spending of callers without one of their own
   * @param enqueueTimeout how long a caller stands in line for the pool before its work spills
   * @param maxWait how long it may stand in line altogether
   * @param cost of new hashes
   */
  public Hashing(
      HashPool pool,
      Spill spill,
      Spending spending,
      Duration enqueueTimeout,
      Duration maxWait,
      int cost,
      HashingMeters meters) {
    this.pool = pool;
    this.spill = spill;
    this.spending = spending;
    this.enqueueTimeout = enqueueTimeout;
    this.maxWait = maxWait;
    this.cost = cost;
    this.meters = meters;
    meters.observe(pool, cost);
  }

  /**
   * Logins that are served at once: by a permit of the pool, or by a function that can take them.
   */
  public int served() {
    return pool.size() + (spending.open() ? spill.room() : 0);
  }

  /**
   * Logins that may stand in line for the pool if none is to wait longer than {@code wait}:
   * Little's law, from the rate at which permits came back lately. Always some, so that no permit
   * idles.
   */
  public int inLine(Duration wait) {
    return Math.max(pool.threads(), (int) (pool.perSecond() * wait.toNanos() / 1e9));
  }

  /** The spending of callers without one of their own. */
  public Spending spending() {
    return spending;
  }

  /** A hash was shed before it was asked for; it counts like those that are shed here. */
  public void shed() {
    meters.shed();
  }

  /** What a hash of the configured cost takes in a pool that is full; zero while not measured. */
  public Duration hashTime() {
    return pool.hashTime(cost);
  }

  /**
   * Holds a password against a stored hash. The comparison happens here, in constant time: whoever
   * computes the digest never sees what it is compared with.
   *
   * @param password 1 to 72 bytes; left as it is
   * @param own decides whether it may be spilled
   */
  public HashAnswer<Boolean> verify(
      BcryptHash stored, byte[] password, Spending own, Deadline deadline) {
    return digest(stored.setting(), password, own, deadline)
        .map(digest -> stored.digest().matches(digest));
  }

  /** The same with the spending of all callers. */
  public HashAnswer<Boolean> verify(BcryptHash stored, byte[] password, Deadline deadline) {
    return verify(stored, password, spending, deadline);
  }

  /**
   * Holds a password against a hash that is no bcrypt: in the pool, for functions compute bcrypt
   * only.
   *
   * @param cost of the bcrypt hash that takes as long
   * @param matches computes and compares in constant time, on a hash thread; where it finds no
   *     memory, the hash is shed
   */
  public HashAnswer<Boolean> verify(int cost, BooleanSupplier matches, Deadline deadline) {
    AtomicBoolean right = new AtomicBoolean();
    AtomicBoolean noMemory = new AtomicBoolean();
    Runnable work =
        () -> {
          try {
            right.set(matches.getAsBoolean());
          } catch (OutOfMemoryError e) {
            noMemory.set(true);
          }
        };
    return counted(
        deadline.interruptibly(
            () ->
                switch (pool.run(cost, work, maxWait, deadline)) {
                  case PoolAnswer.Computed done ->
                      noMemory.get()
                          ? missed(cost, deadline, Optional.of(Path.LOCAL))
                          : new HashAnswer.Computed<>(right.get(), Path.LOCAL);
                  case PoolAnswer.Late late -> missed(cost, deadline, Optional.of(Path.LOCAL));
                  case PoolAnswer.Refused refused -> missed(cost, deadline, Optional.empty());
                }));
  }

  /**
   * Hashes a new password under a fresh salt.
   *
   * @param password 1 to 72 bytes without NUL; left as it is
   */
  public HashAnswer<BcryptHash> create(byte[] password, Deadline deadline) {
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, cost, random);
    return digest(setting, password, spending, deadline)
        .map(digest -> new BcryptHash(setting, digest));
  }

  /**
   * The same for a password that was only just verified, if there is capacity to spare: of the pool
   * alone, and only as long as no caller wants it.
   *
   * @param least cost of the hash at least
   */
  public Optional<BcryptHash> createIfSpare(byte[] password, int least) {
    int noLower = Math.max(cost, least);
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, noLower, random);
    return pool.digestIfSpare(setting, password, SPARE_PATIENCE)
        .map(digest -> new BcryptHash(setting, digest));
  }

  /**
   * Whether a new hash of the same password would be a better one: of a higher cost, or not old.
   */
  public boolean outdated(BcryptHash hash) {
    return hash.setting().cost() < cost || hash.setting().version() != BcryptVersion.V2B;
  }

  private HashAnswer<BcryptDigest> digest(
      BcryptSetting setting, byte[] password, Spending own, Deadline deadline) {
    return counted(deadline.interruptibly(() -> resort(setting, password, own, deadline)));
  }

  private <T> HashAnswer<T> counted(HashAnswer<T> answer) {
    switch (answer) {
      case HashAnswer.Computed(var value, Path path) -> meters.computed(path);
      case HashAnswer.Shed(var retryAfter) -> meters.shed();
      case HashAnswer.Gone(var begun) -> meters.gone();
    }
    return answer;
  }

  private HashAnswer<BcryptDigest> resort(
      BcryptSetting setting, byte[] password, Spending own, Deadline deadline) {
    boolean maySpill = spill.enabled();
    return switch (pool.digest(setting, password, maySpill ? enqueueTimeout : maxWait, deadline)) {
      case PoolAnswer.Computed(BcryptDigest digest, Duration waited) ->
          new HashAnswer.Computed<>(digest, Path.LOCAL);
      case PoolAnswer.Late late -> missed(setting.cost(), deadline, Optional.of(Path.LOCAL));
      case PoolAnswer.Refused(var reason, Duration waited) ->
          maySpill
              ? spilled(setting, password, own, maxWait.minus(waited), deadline)
              : missed(setting.cost(), deadline, Optional.empty());
    };
  }

  /**
   * @param wait left for the line
   */
  private HashAnswer<BcryptDigest> spilled(
      BcryptSetting setting, byte[] password, Spending own, Duration wait, Deadline deadline) {
    if (deadline.passed()) {
      return missed(setting.cost(), deadline, Optional.empty()); // and has no share in any ceiling
    }
    Optional<Runnable> notSpilled = own.ask();
    if (notSpilled.isEmpty()) {
      return lastResort(setting, password, wait, deadline, Optional.empty());
    }
    return switch (spill.digest(setting, password, deadline)) {
      case SpillAnswer.Computed(BcryptDigest digest) ->
          new HashAnswer.Computed<>(digest, Path.SPILLED);
      case SpillAnswer.NoDigest(SpillAnswer.Reason reason) -> {
        if (reason.beforeAnyCall()) {
          notSpilled.get().run();
          yield lastResort(setting, password, wait, deadline, Optional.empty());
        }
        yield lastResort(setting, password, wait, deadline, Optional.of(Path.SPILLED));
      }
    };
  }

  /**
   * In line again, but not for a hash that could not end in time.
   *
   * @param begun where a hash was begun before
   */
  private HashAnswer<BcryptDigest> lastResort(
      BcryptSetting setting,
      byte[] password,
      Duration wait,
      Deadline deadline,
      Optional<Path> begun) {
    Duration inTime = deadline.remaining().minus(pool.hashTime(setting.cost()));
    if (!inTime.isPositive()) {
      return missed(setting.cost(), deadline, begun);
    }
    Duration shorter = wait.compareTo(inTime) < 0 ? wait : inTime;
    return switch (pool.digest(setting, password, shorter, deadline)) {
      case PoolAnswer.Computed(BcryptDigest digest, Duration waited) ->
          new HashAnswer.Computed<>(digest, Path.LOCAL);
      case PoolAnswer.Late late -> missed(setting.cost(), deadline, Optional.of(Path.LOCAL));
      case PoolAnswer.Refused refused -> missed(setting.cost(), deadline, begun);
    };
  }

  private <T> HashAnswer<T> missed(int cost, Deadline deadline, Optional<Path> begun) {
    return deadline.abandoned()
        ? new HashAnswer.Gone<>(begun)
        : new HashAnswer.Shed<>(pool.expectedWait().plus(pool.hashTime(cost)));
  }
}
