package dev.spillway.auth.hashing.pool;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * The life of one hash thread: take an admitted job, run it and what else fits its lanes, repeat.
 */
final class HashThread implements Runnable {
  private final DigestEngine engine;
  private final BlockingQueue<PoolJob> admitted;
  private final HashTimes times;
  private final PoolMeters meters;

  /** Jobs the engine has taken and not ended; touched by this thread only. */
  private final List<InHand> inHand = new ArrayList<>();

  HashThread(
      DigestEngine engine, BlockingQueue<PoolJob> admitted, HashTimes times, PoolMeters meters) {
    this.engine = engine;
    this.admitted = admitted;
    this.times = times;
    this.meters = meters;
  }

  /** Runs until interrupted while idle. */
  @Override
  public void run() {
    while (true) {
      InHand first;
      try {
        first = take(admitted.take());
      } catch (InterruptedException e) {
        return;
      }
      try {
        engine.run(first, () -> take(admitted.poll()));
      } catch (Throwable bug) {
        // Not even an Error may cost a permit: whatever the engine had in hand ends here.
        List.copyOf(inHand)
            .forEach(job -> job.end(new DigestResult.Failed(new IllegalStateException(bug))));
      }
    }
  }

  private InHand take(PoolJob job) {
    if (job == null) {
      return null;
    }
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

    @Override
    public boolean abandoned() {
      return job.abandoned();
    }

    @Override
    public void end(DigestResult result) {
      inHand.remove(this);
      if (result instanceof DigestResult.Digested) {
        times.measured(job.setting().cost(), job.elapsed());
      }
      meters.ended(result, job.elapsed());
      job.end(result);
    }
  }
}
