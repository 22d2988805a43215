package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A real engine, and a count of what it has in hand. */
class WatchedEngine implements DigestEngine {
  /** What several engines of one pool have in hand together. */
  static final class Count {
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger mostRunning = new AtomicInteger();
    final AtomicInteger endedTwice = new AtomicInteger();
  }

  private final DigestEngine real;
  private final Count count;

  WatchedEngine(DigestEngine real, Count count) {
    this.real = real;
    this.count = count;
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public int lanes() {
    return real.lanes();
  }

  @Override
  public void run(DigestJob first, Backlog backlog) {
    List<Watched> taken = new ArrayList<>();
    try {
      real.run(
          watch(first, taken),
          () -> {
            DigestJob next = backlog.poll();
            return next == null ? null : watch(next, taken);
          });
    } finally {
      taken.forEach(Watched::ended); // if the engine died of an Error, they run no more either
    }
  }

  /** Passes it on. */
  void ended(DigestJob job, DigestResult result) {
    job.end(result);
  }

  private DigestJob watch(DigestJob job, List<Watched> taken) {
    Watched watched = new Watched(job);
    taken.add(watched);
    return watched;
  }

  private final class Watched implements DigestJob {
    private final DigestJob job;
    private final AtomicBoolean ended = new AtomicBoolean();

    Watched(DigestJob job) {
      this.job = job;
      count.mostRunning.accumulateAndGet(count.running.incrementAndGet(), Math::max);
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
      if (!ended()) {
        count.endedTwice.incrementAndGet();
      }
      WatchedEngine.this.ended(job, result);
    }

    boolean ended() {
      boolean now = ended.compareAndSet(false, true);
      if (now) {
        count.running.decrementAndGet();
      }
      return now;
    }
  }
}
