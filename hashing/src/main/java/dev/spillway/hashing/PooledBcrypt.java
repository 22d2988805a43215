package dev.spillway.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.cpu.CpuWatch;
import dev.spillway.hashing.cpu.HashCpu;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.pool.HashPriority;
import dev.spillway.hashing.pool.PoolMeters;
import dev.spillway.hashing.pool.PoolPlan;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.call.SpillMeters;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.Transport;
import dev.spillway.hashing.spill.wire.TransportFailure;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.function.Function;

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

  private PooledBcrypt(Builder builder) {
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
  public static Builder builder() {
    return new Builder();
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

  private static void complain(String text) {
    LOG.log(System.Logger.Level.ERROR, text);
  }

  /** The settings of a {@link PooledBcrypt}. */
  public static final class Builder {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** Carries nothing, for there are no targets to be asked for. */
    private static final Transport NOWHERE =
        (target, request, patience) ->
            CompletableFuture.failedFuture(new TransportFailure(SpillAnswer.Reason.UNREACHABLE));

    private OptionalInt threads = OptionalInt.empty();
    private OptionalInt lanes = OptionalInt.empty();
    private DigestEngine engine;
    private HashPriority priority = HashPriority.LOWERED;
    private int cost = 12;
    private int maxCost = 15;
    private Duration enqueueTimeout = Duration.ofMillis(25);
    private Duration maxWait = Duration.ofSeconds(1);
    private Duration deadline = Duration.ofSeconds(5);
    private Map<String, Integer> targets = Map.of();
    private Transport transport = NOWHERE;
    private Function<DigestRequest, byte[]> requests = WireFormat::write;
    private Spill spill;
    private Spending spending = Spending.UNLIMITED;
    private HashingMeters hashingMeters = HashingMeters.NONE;
    private PoolMeters poolMeters = PoolMeters.NONE;
    private SpillMeters spillMeters = SpillMeters.NONE;

    private Builder() {}

    /**
     * Hashing threads. Unless set, one for each processor, or one fewer where the operating system
     * cannot lower their priority.
     */
    public Builder threads(int count) {
      threads = OptionalInt.of(count);
      return this;
    }

    /**
     * Hashes that each thread computes side by side, 1 to 5. Unless set, 4 until what suits this
     * machine has been measured after {@link PooledBcrypt#warmUp}.
     */
    public Builder lanes(int count) {
      lanes = OptionalInt.of(count);
      return this;
    }

    /** Which engine computes; in place of {@link #lanes}. */
    public Builder engine(DigestEngine computing) {
      engine = computing;
      return this;
    }

    /** How the operating system schedules hashing threads; lowered unless set. */
    public Builder priority(HashPriority ofThreads) {
      priority = ofThreads;
      return this;
    }

    /** Cost of new hashes; 12 unless set. */
    public Builder cost(int ofNewHashes) {
      cost = ofNewHashes;
      return this;
    }

    /** Highest cost of a stored hash that is verified; 15 unless set. */
    public Builder maxCost(int ofStoredHashes) {
      maxCost = ofStoredHashes;
      return this;
    }

    /** How long a hash waits for a thread before it spills; 25 ms unless set. */
    public Builder enqueueTimeout(Duration atMost) {
      enqueueTimeout = atMost;
      return this;
    }

    /** How long a hash waits for a thread in all; 1 s unless set. */
    public Builder maxWait(Duration atMost) {
      maxWait = atMost;
      return this;
    }

    /** How long an answer may take; 5 s unless set. */
    public Builder deadline(Duration fromTheCall) {
      deadline = fromTheCall;
      return this;
    }

    /**
     * Functions that compute what the threads cannot take. Unless set, nothing spills.
     *
     * @param maxOutstanding calls that may be outstanding at once, by the name of each function
     * @param carrier brings requests there; closed with the {@link PooledBcrypt}
     */
    public Builder transport(Map<String, Integer> maxOutstanding, Transport carrier) {
      targets = maxOutstanding;
      transport = carrier;
      return this;
    }

    /** Makes requests of jobs, for instance with sealed passwords; in clear unless set. */
    public Builder requests(Function<DigestRequest, byte[]> format) {
      requests = format;
      return this;
    }

    /** A spill with rules of its own; in place of {@link #transport}. */
    public Builder spill(Spill ready) {
      spill = ready;
      return this;
    }

    /** Decides whether a hash may be spilled; any may unless set. */
    public Builder spending(Spending ofAll) {
      spending = ofAll;
      return this;
    }

    /** What is measured; nothing unless set. */
    public Builder meters(HashingMeters ofHashes, PoolMeters ofPool, SpillMeters ofSpill) {
      hashingMeters = ofHashes;
      poolMeters = ofPool;
      spillMeters = ofSpill;
      return this;
    }

    /**
     * Starts the threads.
     *
     * @throws IllegalArgumentException if the settings do not fit together
     */
    public PooledBcrypt build() {
      return new PooledBcrypt(this);
    }

    private void check() {
      require(
          enqueueTimeout.isPositive() && enqueueTimeout.compareTo(LONGEST_WAIT) <= 0,
          "the enqueue timeout must be more than 0 and at most 10 s");
      require(
          enqueueTimeout.compareTo(maxWait) <= 0,
          "the longest wait must be at least the enqueue timeout, which is a part of it");
      require(
          maxWait.compareTo(deadline) < 0,
          "the deadline must be longer than the longest wait: the hash needs time after it");
      require(
          cost >= BcryptSetting.MIN_COST && cost <= maxCost && maxCost <= BcryptSetting.MAX_COST,
          "costs must be 4 to 31, that of new hashes no higher than the highest");
    }

    private DigestEngine engine() {
      return engine != null
          ? engine
          : Engines.proven(lanes.orElse(LaneChoice.BEFOREHAND), PooledBcrypt::complain);
    }

    private Spill spill() {
      return spill != null
          ? spill
          : new Spill(
              new TreeMap<>(targets),
              CoolDown.USUAL,
              SpillRules.USUAL,
              requests,
              transport,
              spillMeters);
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
