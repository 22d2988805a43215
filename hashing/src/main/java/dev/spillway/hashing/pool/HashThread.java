package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.hashing.cpu.HashCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The life of one hash thread: take an admitted job, run it and what else fits its lanes, repeat. A
 * job goes into a second lane only when no thread is idle: alone on a core it ends sooner. Work
 * that is no bcrypt fits no lane: it is done at once, and the lanes wait for it.
 */
final class HashThread implements Runnable {
  private final Supplier<DigestEngine> engines;
  private final BlockingQueue<PoolJob> admitted;

  /** Threads, over the whole pool, that wait for a job. */
  private final AtomicInteger idle;

  private final PoolMeters meters;
  private final HashCpu.Meter cpu;

  /** Jobs the engine has taken and not ended; touched by this thread only. */
  private final List<InHand> inHand = new ArrayList<>();

  /**
   * @param engines asked whenever lanes are free; another answer than before takes effect when the
   *     lanes in use have emptied
   */
  HashThread(
      Supplier<DigestEngine> engines,
      BlockingQueue<PoolJob> admitted,
      AtomicInteger idle,
      PoolMeters meters,
      HashCpu cpu) {
    this.engines = engines;
    this.admitted = admitted;
    this.idle = idle;
    this.meters = meters;
    this.cpu = cpu.meter();
  }

  /** Runs until interrupted while idle. */
  @Override
  public void run() {
    while (true) {
      InHand first;
      idle.incrementAndGet();
      try {
        first = take(admitted.take());
      } catch (InterruptedException e) {
        return;
      } finally {
        idle.decrementAndGet();
      }
      DigestEngine engine = engines.get();
      cpu.begin();
      try {
        if (first.job.isOtherWork()) {
          first.end(first.job.doWork());
        } else {
          engine.run(first, () -> next(engine));
        }
      } catch (Throwable bug) {
        // Not even an Error may cost a permit: whatever the engine had in hand ends here.
        List.copyOf(inHand)
            .forEach(job -> job.end(new DigestResult.Failed(new IllegalStateException(bug))));
      } finally {
        cpu.end();
      }
    }
  }

  private InHand next(DigestEngine running) {
    if (idle.get() > 0 || engines.get() != running) {
      return null;
    }
    for (PoolJob job = admitted.poll(); job != null; job = admitted.poll()) {
      InHand taken = take(job);
      if (!job.isOtherWork()) {
        return taken;
      }
      taken.end(job.doWork());
      cpu.lap();
    }
    return null;
  }

  private InHand take(PoolJob job) {
    job.started();
    InHand taken = new InHand(job);
    inHand.add(taken);
    return taken;
  }

  private final class InHand implements DigestJob {
    private final PoolJob job;

    InHand(PoolJob job) {
      this.job = job;
    }

    @Override
    public BcryptSetting setting() {
      return job.setting();
    }

    @Override
    public byte[] password() {
      return job.password();
    }

    /** Asked between chunks, so the thread may pause here. */
    @Override
    public boolean abandoned() {
      cpu.lap();
      return job.abandoned();
    }

    @Override
    public void end(DigestResult result) {
      inHand.remove(this);
      try {
        meters.ended(result, job.elapsed());
      } finally {
        job.end(result);
      }
    }
  }
}
