package dev.spillway.hashing;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.lanes.Engines;
import dev.spillway.core.lanes.LaneChoice;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.pool.HashPriority;
import dev.spillway.hashing.pool.PoolMeters;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.call.SpillMeters;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.Transport;
import dev.spillway.hashing.spill.wire.TransportFailure;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The settings of a {@link PooledBcrypt}. */
public final class PooledBcryptBuilder {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /** Carries nothing, for there are no targets to be asked for. */
  private static final Transport NOWHERE =
      (target, request, patience) ->
          CompletableFuture.failedFuture(new TransportFailure(SpillAnswer.Reason.UNREACHABLE));

  OptionalInt threads = OptionalInt.empty();
  OptionalInt lanes = OptionalInt.empty();
  DigestEngine engine;
  HashPriority priority = HashPriority.LOWERED;
  int cost = 12;
  int maxCost = 15;
  Duration enqueueTimeout = Duration.ofMillis(25);
  Duration maxWait = Duration.ofSeconds(1);
  Duration deadline = Duration.ofSeconds(5);
  private Map<String, Integer> targets = Map.of();
  private Transport transport = NOWHERE;
  private Function<DigestRequest, byte[]> requests = WireFormat::write;
  private Spill spill;
  Spending spending = Spending.UNLIMITED;
  HashingMeters hashingMeters = HashingMeters.NONE;
  PoolMeters poolMeters = PoolMeters.NONE;
  private SpillMeters spillMeters = SpillMeters.NONE;

  PooledBcryptBuilder() {}

  /**
   * Hashing threads. Unless set, one for each processor, or one fewer where the operating system
   * cannot lower their priority.
   */
  public PooledBcryptBuilder threads(int count) {
    threads = OptionalInt.of(count);
    return this;
  }

  /**
   * Hashes that each thread computes side by side, 1 to 5. Unless set, 4 until what suits this
   * machine has been measured after {@link PooledBcrypt#warmUp}.
   */
  public PooledBcryptBuilder lanes(int count) {
    lanes = OptionalInt.of(count);
    return this;
  }

  /** Which engine computes; in place of {@link #lanes}. */
  public PooledBcryptBuilder engine(DigestEngine computing) {
    engine = computing;
    return this;
  }

  /** How the operating system schedules hashing threads; lowered unless set. */
  public PooledBcryptBuilder priority(HashPriority ofThreads) {
    priority = ofThreads;
    return this;
  }

  /** Cost of new hashes; 12 unless set. */
  public PooledBcryptBuilder cost(int ofNewHashes) {
    cost = ofNewHashes;
    return this;
  }

  /** Highest cost of a stored hash that is verified; 15 unless set. */
  public PooledBcryptBuilder maxCost(int ofStoredHashes) {
    maxCost = ofStoredHashes;
    return this;
  }

  /** How long a hash waits for a thread before it spills; 25 ms unless set. */
  public PooledBcryptBuilder enqueueTimeout(Duration atMost) {
    enqueueTimeout = atMost;
    return this;
  }

  /** How long a hash waits for a thread in all; 1 s unless set. */
  public PooledBcryptBuilder maxWait(Duration atMost) {
    maxWait = atMost;
    return this;
  }

  /** How long an answer may take; 5 s unless set. */
  public PooledBcryptBuilder deadline(Duration fromTheCall) {
    deadline = fromTheCall;
    return this;
  }

  /**
   * Functions that compute what the threads cannot take. Unless set, nothing spills.
   *
   * @param maxOutstanding calls that may be outstanding at once, by the name of each function
   * @param carrier brings requests there; closed with the {@link PooledBcrypt}
   */
  public PooledBcryptBuilder transport(Map<String, Integer> maxOutstanding, Transport carrier) {
    targets = maxOutstanding;
    transport = carrier;
    return this;
  }

  /** Makes requests of jobs, for instance with sealed passwords; in clear unless set. */
  public PooledBcryptBuilder requests(Function<DigestRequest, byte[]> format) {
    requests = format;
    return this;
  }

  /** A spill with rules of its own; in place of {@link #transport}. */
  public PooledBcryptBuilder spill(Spill ready) {
    spill = ready;
    return this;
  }

  /** Decides whether a hash may be spilled; any may unless set. */
  public PooledBcryptBuilder spending(Spending ofAll) {
    spending = ofAll;
    return this;
  }

  /** What is measured; nothing unless set. */
  public PooledBcryptBuilder meters(
      HashingMeters ofHashes, PoolMeters ofPool, SpillMeters ofSpill) {
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

  void check() {
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

  DigestEngine engine() {
    return engine != null
        ? engine
        : Engines.proven(lanes.orElse(LaneChoice.BEFOREHAND), PooledBcrypt::complain);
  }

  Spill spill() {
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
