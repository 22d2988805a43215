package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.hashing.cpu.HashCpu;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A bulkhead around bcrypt. At most {@link #size} hashes run at once, on platform threads of the
 * pool's own, and a caller stands in line no longer than it says.
 */
public final class HashPool implements PoolState, AutoCloseable {
  /*
   * Invariants, each pinned by the test that carries its number in HashPoolContract:
   *
   *   P1  At most `size` hashes run. A hash thread runs only what holds a permit, and there are
   *       `size` of them: one for each lane of each thread.
   *   P2  A permit returns once, exactly when its job uses no more CPU: with the digest, when it is
   *       dropped, when the engine fails. Not when its caller stops waiting.
   *   P3  A caller that gave up in line holds nothing. The race between the last nanosecond of the
   *       wait and a release is settled inside Semaphore; we keep no queue of waiters of our own.
   *   P4  What nobody wants any more when its turn comes is never started.
   *   P5  close() refuses callers in the queue and later ones, and returns when every admitted job
   *       has ended.
   *   P6  A caller whose wait is known to exceed its enqueue timeout does not stand in line. The
   *       wait is known from the rate at which permits come back, never from one hash: a pool that
   *       has become slow still begins as many hashes as it has permits.
   *   P9  Spare work takes a permit only if one is free and nobody is in line, and gives it back
   *       within a chunk of the engine's once somebody is.
   *   P7  Another engine brings or takes permits by the difference in lanes, and takes only those
   *       that have come back.
   *
   * The line is fair: barging would serve the newest caller while the oldest times out and pays for
   * a spill; beside a hash, handing over in order costs nothing.
   *
   * `admitted` needs no bound of its own: each entry holds a permit.
   */
  private final int threadCount;
  private final boolean refuseKnownWaits;
  private final Semaphore permits;
  private final BlockingQueue<PoolJob> admitted;
  private final Departures departures;
  private final PoolMeters meters;
  private final List<Thread> threads;
  private volatile DigestEngine engine;
  private volatile boolean closed;

  /** A pool without a limit on its CPU time. */
  public HashPool(
      DigestEngine engine,
      int threads,
      int cost,
      boolean refuseKnownWaits,
      Runnable onThread,
      PoolMeters meters) {
    this(engine, threads, cost, refuseKnownWaits, onThread, new HashCpu(), meters);
  }

  /**
   * Starts the threads.
   *
   * @param threads at least 1; each runs {@code engine.lanes()} hashes at once
   * @param cost that hashes are expected to have, until it is known
   * @param refuseKnownWaits whether P6 holds
   * @param onThread run first by each hash thread, for instance to lower its priority
   * @param cpu counts and limits the CPU time of the threads
   */
  public HashPool(
      DigestEngine engine,
      int threads,
      int cost,
      boolean refuseKnownWaits,
      Runnable onThread,
      HashCpu cpu,
      PoolMeters meters) {
    if (threads < 1) {
      throw new IllegalArgumentException("a pool has at least one thread");
    }
    this.engine = engine;
    this.threadCount = threads;
    this.refuseKnownWaits = refuseKnownWaits;
    this.permits = new Semaphore(size(), true);
    this.admitted = new LinkedBlockingQueue<>();
    this.departures = new Departures(cost, System::nanoTime);
    this.meters = meters;
    meters.observe(this);
    AtomicInteger idle = new AtomicInteger();
    this.threads =
        IntStream.range(0, threads)
            .mapToObj(
                i -> {
                  HashThread life = new HashThread(() -> this.engine, admitted, idle, meters, cpu);
                  return Thread.ofPlatform()
                      .name("hash-" + i)
                      .daemon()
                      .start(
                          () -> {
                            onThread.run();
                            life.run();
                          });
                })
            .toList();
  }

  /**
   * Computes one digest, or says that it will not. Blocks the calling (virtual) thread for at most
   * {@code enqueueTimeout} in line, and until {@code deadline} in all. An interrupt means that the
   * caller's client has gone, and stays set.
   *
   * @param password at most 72 bytes; left as it is
   * @throws IllegalStateException if the engine failed: a bug
   */
  public PoolAnswer digest(
      BcryptSetting setting, byte[] password, Duration enqueueTimeout, Deadline deadline) {
    return inPool(
        setting.cost(),
        onEnd -> new PoolJob(setting, password, deadline::passed, onEnd),
        enqueueTimeout,
        deadline);
  }

  private PoolAnswer inPool(
      int cost,
      Function<Consumer<DigestResult>, PoolJob> jobs,
      Duration enqueueTimeout,
      Deadline deadline) {
    long start = System.nanoTime();
    PoolAnswer.Reason refusal = standInLine(deadline.limit(enqueueTimeout), deadline);
    Duration waited = Duration.ofNanos(System.nanoTime() - start);
    if (refusal != null) {
      meters.refused(refusal, waited);
      return new PoolAnswer.Refused(refusal, waited);
    }
    meters.admitted(waited);
    return await(begin(cost, jobs), deadline, waited);
  }

  /**
   * Does work that is no bcrypt, such as a hash of another kind, under the same rules. It cannot be
   * stopped once it is begun, and keeps a thread with all its lanes.
   *
   * @param cost of the bcrypt hash that takes as long
   * @param work runs on a hash thread
   * @return with a digest that means nothing if the work was done
   */
  public PoolAnswer run(int cost, Runnable work, Duration enqueueTimeout, Deadline deadline) {
    return inPool(
        cost, onEnd -> PoolJob.of(work, deadline::passed, onEnd), enqueueTimeout, deadline);
  }

  /**
   * Computes a digest that nobody waits for, if the pool has nothing else to do; see P9. Blocks the
   * calling (virtual) thread. With an engine that cannot stop in the middle of a hash, whoever
   * comes meanwhile waits for its end.
   *
   * @param password at most 72 bytes; left as it is
   * @param patience how long it may take
   * @return empty if there was no capacity to spare, or not for long enough
   */
  public Optional<BcryptDigest> digestIfSpare(
      BcryptSetting setting, byte[] password, Duration patience) {
    if (closed || waiting() > 0 || !permits.tryAcquire()) {
      return Optional.empty();
    }
    if (closed) {
      permits.release();
      return Optional.empty();
    }
    Deadline deadline = Deadline.in(patience);
    PoolJob job = null;
    try {
      job =
          new PoolJob(
              setting,
              password,
              () -> closed || waiting() > 0 || deadline.passed(),
              ended -> permits.release());
      admitted.add(job);
    } catch (Throwable e) {
      // No memory left: that may not cost the permit.
      if (job == null) {
        permits.release();
      } else {
        job.end(new DigestResult.Abandoned());
      }
      throw e;
    }
    return await(job, deadline, Duration.ZERO) instanceof PoolAnswer.Computed(var digest, var none)
        ? Optional.of(digest)
        : Optional.empty();
  }

  @Override
  public int size() {
    return threadCount * engine.lanes();
  }

  @Override
  public int threads() {
    return threadCount;
  }

  /** The engine in use. */
  public DigestEngine engine() {
    return engine;
  }

  /**
   * Computes with another engine from the next free thread on; see P7. With fewer lanes than before
   * it waits for permits to come back.
   */
  public synchronized void use(DigestEngine other) {
    int change = threadCount * (other.lanes() - engine.lanes());
    if (change < 0) {
      permits.acquireUninterruptibly(-change);
    }
    engine = other;
    if (change > 0) {
      permits.release(change);
    }
  }

  @Override
  public int free() {
    return permits.availablePermits();
  }

  @Override
  public int waiting() {
    return permits.getQueueLength();
  }

  /** Hashes of the usual cost that end in a second while callers wait; 0 while not measured. */
  public double perSecond() {
    return departures.perSecond();
  }

  @Override
  public Duration hashTime(int cost) {
    return departures.timeFor(size(), cost);
  }

  @Override
  public Duration expectedWait() {
    double perSecond = perSecond();
    return free() > 0 || perSecond == 0
        ? Duration.ZERO
        : Duration.ofNanos((long) ((waiting() + 1) / perSecond * 1e9));
  }

  /** Forgets how fast it was: the JVM was cold. */
  public void forgetRate() {
    departures.forget();
  }

  /** What was hashed so far was for practice: from now on hashes have this cost. */
  public void expect(int cost) {
    departures.expect(cost);
  }

  /** See P5. The threads end soon after. */
  @Override
  public synchronized void close() {
    closed = true;
    // Through the line like everyone: whoever stands before us is handed a permit, sees `closed`
    // and passes it on. Holding all of them proves that no job is left and none can follow.
    int all = size();
    permits.acquireUninterruptibly(all);
    permits.release(all);
    threads.forEach(Thread::interrupt);
  }

  /** Null once the caller holds a permit. */
  private PoolAnswer.Reason standInLine(Duration wait, Deadline deadline) {
    if (deadline.passed()) {
      return PoolAnswer.Reason.ABANDONED;
    }
    if (closed) {
      return PoolAnswer.Reason.CLOSED;
    }
    if (refuseKnownWaits && expectedWait().compareTo(wait) > 0) {
      return PoolAnswer.Reason.LINE_TOO_LONG;
    }
    try {
      if (!permits.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        return deadline.passed() ? PoolAnswer.Reason.ABANDONED : PoolAnswer.Reason.TIMED_OUT;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PoolAnswer.Reason.ABANDONED;
    }
    PoolAnswer.Reason tooLate =
        closed ? PoolAnswer.Reason.CLOSED : deadline.passed() ? PoolAnswer.Reason.ABANDONED : null;
    if (tooLate != null) {
      permits.release();
    }
    return tooLate;
  }

  /** The caller's permit is the job's from here on, or is given back. */
  private PoolJob begin(int cost, Function<Consumer<DigestResult>, PoolJob> jobs) {
    PoolJob job = null;
    try {
      job = jobs.apply(result -> leave(cost, result));
      admitted.add(job);
      return job;
    } catch (Throwable e) {
      // No password, or no memory left: neither may cost the permit.
      if (job == null) {
        permits.release();
      } else {
        job.end(new DigestResult.Abandoned());
      }
      throw e;
    }
  }

  private void leave(int cost, DigestResult result) {
    departures.departed(cost, result instanceof DigestResult.Digested, permits.hasQueuedThreads());
    permits.release();
  }

  private PoolAnswer await(PoolJob job, Deadline deadline, Duration waited) {
    try {
      return switch (job.await(deadline.remaining())) {
        case DigestResult.Digested(var digest) -> new PoolAnswer.Computed(digest, waited);
        case DigestResult.Abandoned() -> new PoolAnswer.Late(waited);
        case DigestResult.Failed(RuntimeException cause) ->
            throw new IllegalStateException("the digest engine failed", cause);
      };
    } catch (TimeoutException e) {
      return new PoolAnswer.Late(waited);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new PoolAnswer.Late(waited);
    }
  }
}
