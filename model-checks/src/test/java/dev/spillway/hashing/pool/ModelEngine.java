package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lanes without bcrypt in them: jobs are taken, dropped and ended at the same points as by a real
 * engine, and each is known by its password's one byte.
 */
final class ModelEngine implements DigestEngine {
  static final BcryptDigest DIGEST = BcryptDigest.of("7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy");

  /** Passwords of jobs that break the engine. */
  static final byte THROWS = 'T';

  static final byte ENDS_TWICE = 'E';

  /** What several engines of one pool do together. */
  static final class Watch {
    final AtomicInteger running = new AtomicInteger();
    final Set<Byte> started = ConcurrentHashMap.newKeySet();

    /** More may not run. */
    volatile int bound;

    /** What was seen and may not be. */
    volatile String violation;

    Watch(int bound) {
      this.bound = bound;
    }
  }

  private final int lanes;
  private final Watch watch;

  ModelEngine(int lanes, Watch watch) {
    this.lanes = lanes;
    this.watch = watch;
  }

  @Override
  public String name() {
    return "model";
  }

  @Override
  public int lanes() {
    return lanes;
  }

  @Override
  public void run(DigestJob first, Backlog backlog) {
    Deque<DigestJob> running = new ArrayDeque<>();
    try {
      begin(first, running);
      do {
        while (running.size() < lanes) {
          DigestJob next = backlog.poll();
          if (next == null) {
            break;
          }
          begin(next, running);
        }
        if (!running.isEmpty()) {
          end(running.remove());
        }
      } while (!running.isEmpty());
    } finally {
      watch.running.addAndGet(-running.size());
    }
  }

  private void begin(DigestJob job, Deque<DigestJob> running) {
    if (job.abandoned()) {
      job.end(new DigestResult.Abandoned());
      return;
    }
    watch.started.add(job.password()[0]);
    running.add(job);
    if (watch.running.incrementAndGet() > watch.bound) {
      watch.violation = "more run than " + watch.bound;
    }
  }

  private void end(DigestJob job) {
    byte password = job.password()[0];
    DigestResult result =
        job.abandoned() ? new DigestResult.Abandoned() : new DigestResult.Digested(DIGEST);
    watch.running.decrementAndGet();
    if (password == THROWS) {
      throw new StackOverflowError("sown");
    }
    job.end(result);
    if (password == ENDS_TWICE) {
      job.end(result);
    }
  }
}
