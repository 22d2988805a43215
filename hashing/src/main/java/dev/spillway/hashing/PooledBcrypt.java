package dev.spillway.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import dev.spillway.hashing.cpu.CpuWatch;
import dev.spillway.hashing.cpu.HashCpu;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.pool.PoolPlan;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.Transport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;

/**
 * bcrypt with a bound. Hashes run on a few threads of their own, several side by side on each, and
 * a caller waits a bounded time for its turn. Hashes that the threads cannot take in time go to
 * functions elsewhere, if there is a {@link Transport} to any. A hash that cannot be computed in
 * time is refused at once, with the time after which to try again.
 *
 * <p>One for an application; all methods may be called by many threads. The blocking ones wait on
 * the calling thread, so a virtual thread is the right one. A password is 1 to 72 bytes, is left as
 * it is, and copies of it are wiped.
 */
public final class PooledBcrypt implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.spillway.hashing");

  private static final int WARM_UP_COST = 8; // 15 ms each: enough iterations to be compiled
  private static final int WARM_UP_BATCHES = 6; // in each round, of as many as the pool has permits

  /** Two rounds that are no faster end it; a neighbour that takes the CPU must not prolong it. */
  private static final int MOST_WARM_UP_ROUNDS = 20;

  private static final double FASTER = 1.05;

  private static final Duration WARM_UP_PATIENCE = Duration.ofSeconds(30);

  /** A finding takes some forty pairs: half a minute if nobody logs in. */
  private static final Duration BETWEEN_FIRST_PAIRS = Duration.ofMillis(500);

  /** Less than a hundredth of the CPU, and a finding in some minutes. */
  private static final Duration BETWEEN_LATER_PAIRS = Duration.ofSeconds(10);

  private final PoolPlan plan;

  private final boolean choosesLanes;

  /** Chooses the lanes; null as long as it is not wanted. */
  private volatile Thread choosing;

  private final int cost;
  private final int maxCost;
  private final Duration deadline;
  private final CpuWatch cpu;
  private final HashPool pool;
  private final Spill spill;
  private final Hashing hashing;

  PooledBcrypt(PooledBcryptBuilder builder) {
    builder.check();
    this.plan = PoolPlan.of(builder.threads, builder.priority);
    this.choosesLanes = builder.engine == null && builder.lanes.isEmpty();
    this.cost = builder.cost;
    this.maxCost = builder.maxCost;
    this.deadline = builder.deadline;
    HashCpu account = new HashCpu();
    this.cpu = new CpuWatch(account);
    this.pool =
        new HashPool(
            builder.engine(),
            plan.threads(),
            cost,
            true,
            plan.priority()::applyToCallingThread,
            account,
            builder.poolMeters);
    this.spill = builder.spill();
    this.hashing =
        new Hashing(
            pool,
            spill,
            builder.spending,
            builder.enqueueTimeout,
            builder.maxWait,
            cost,
            builder.hashingMeters);
  }

  /** Every setting at its default, which suits a service that logs users in. */
  public static PooledBcryptBuilder builder() {
    return new PooledBcryptBuilder();
  }

  /**
   * Holds a password against a stored hash. Blocks the calling thread, until the deadline at the
   * latest.
   */
  public HashAnswer<Boolean> verify(byte[] password, BcryptHash stored) {
    return hashing.verify(stored, password, Deadline.in(deadline));
  }

  /** Hashes a new password under a fresh salt. Blocks the calling thread likewise. */
  public HashAnswer<BcryptHash> create(byte[] password) {
    return hashing.create(password, Deadline.in(deadline));
  }

  /**
   * The same as {@link #verify}, without blocking. Cancel the stage's future when the client has
   * gone: then the hash is given up, and its capacity goes to others.
   */
  public CompletionStage<HashAnswer<Boolean>> verifyAsync(byte[] password, BcryptHash stored) {
    return async(password, (copy, until) -> hashing.verify(stored, copy, until));
  }

  /** The same as {@link #create}, without blocking; see {@link #verifyAsync}. */
  public CompletionStage<HashAnswer<BcryptHash>> createAsync(byte[] password) {
    return async(password, hashing::create);
  }

  /** Highest cost that a stored hash may have to be verified. */
  public int maxCost() {
    return maxCost;
  }

  /**
   * Hashes until it gets no faster, a second or two, and returns when the pool knows how fast it
   * is. In a cold JVM the first hashes take several times what later ones do; without this a
   * service that is busy from the first moment refuses too many of them. The number of lanes is
   * measured afterwards, in the background, if it was left open.
   */
  public void warmUp() throws InterruptedException {
    double best = 0;
    int noFaster = 0;
    for (int round = 0; round < MOST_WARM_UP_ROUNDS && noFaster < 2; round++) {
      pool.forgetRate();
      practise();
      double rate = pool.perSecond();
      noFaster = rate < best * FASTER ? noFaster + 1 : 0;
      best = Math.max(best, rate);
    }
    pool.expect(cost);
    if (choosesLanes && pool.engine().lanes() > 1) {
      choosing = Thread.ofVirtual().name("lane-choice").start(this::chooseLanes);
    }
  }

  /** The router, for callers with deadlines of their own. */
  public Hashing hashing() {
    return hashing;
  }

  /** The threads and their permits. */
  public HashPool pool() {
    return pool;
  }

  /** The way to functions elsewhere. */
  public Spill spill() {
    return spill;
  }

  /** What share of the CPU the threads get. */
  public CpuWatch cpu() {
    return cpu;
  }

  /** One line for the log: threads, lanes, engine and priority. */
  public String describe() {
    return plan.describe(pool.engine());
  }

  /** Refuses what waits or comes later, and returns when every hash that has begun has ended. */
  @Override
  public void close() {
    Thread chooser = choosing;
    if (chooser != null) {
      chooser.interrupt();
    }
    pool.close();
    spill.close();
    cpu.close();
  }

  private <T> CompletionStage<HashAnswer<T>> async(
      byte[] password, BiFunction<byte[], Deadline, HashAnswer<T>> work) {
    Deadline until = Deadline.in(deadline);
    byte[] copy = password.clone();
    CompletableFuture<HashAnswer<T>> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("pooled-bcrypt")
        .start(
            () -> {
              try {
                answer.complete(work.apply(copy, until));
              } catch (Throwable e) {
                answer.completeExceptionally(e);
              } finally {
                Arrays.fill(copy, (byte) 0);
              }
            });
    var _ =
        answer.whenComplete(
            (value, failure) -> {
              if (answer.isCancelled()) {
                until.abandon();
              }
            });
    return answer;
  }

  private void practise() throws InterruptedException {
    BcryptSetting setting =
        BcryptSetting.random(BcryptVersion.V2B, WARM_UP_COST, new SecureRandom());
    int hashes = pool.size() * WARM_UP_BATCHES;
    CountDownLatch left = new CountDownLatch(hashes);
    for (int i = 0; i < hashes; i++) {
      Thread.startVirtualThread(
          () -> {
            try {
              pool.digest(
                  setting, new byte[] {'w'}, WARM_UP_PATIENCE, Deadline.in(WARM_UP_PATIENCE));
            } finally {
              left.countDown();
            }
          });
    }
    left.await();
  }

  /**
   * For as long as the pool is open, and only while nothing is hashed: what is best now need not be
   * so when the machine's other tenants do something else.
   */
  private void chooseLanes() {
    LaneChoice choice =
        new LaneChoice(
            pool.engine().lanes(), pool.threads(), plan.priority()::applyToCallingThread);
    Duration pause = BETWEEN_FIRST_PAIRS;
    try {
      while (true) {
        Thread.sleep(pause);
        Optional<LaneChoice.Finding> found = idle() ? choice.pair(() -> !idle()) : Optional.empty();
        if (found.isPresent()) {
          LaneChoice.Finding finding = found.get();
          LOG.log(System.Logger.Level.INFO, "Lanes: " + finding.why());
          if (finding.changed()) {
            pool.use(Engines.proven(finding.lanes(), PooledBcrypt::complain));
          }
          pause = BETWEEN_LATER_PAIRS;
        }
      }
    } catch (InterruptedException e) {
      // The pool is closed.
    }
  }

  private boolean idle() {
    return pool.free() == pool.size();
  }

  static void complain(String text) {
    LOG.log(System.Logger.Level.ERROR, text);
  }
}
