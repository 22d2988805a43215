package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine whose hashes end when a test lets them, one permit of {@link #gate} each. */
final class GatedEngine implements DigestEngine {
  static final BcryptDigest DIGEST = BcryptDigest.of("7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy");

  final Semaphore gate = new Semaphore(0);
  final AtomicInteger started = new AtomicInteger();
  final AtomicInteger running = new AtomicInteger();
  final AtomicInteger mostRunning = new AtomicInteger();

  /** Thrown by the next hash instead of a digest, once. */
  volatile Throwable fault;

  @Override
  public String name() {
    return "gated";
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public void run(DigestJob job, Backlog backlog) {
    if (job.abandoned()) {
      job.end(new DigestResult.Abandoned());
      return;
    }
    started.incrementAndGet();
    mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
    gate.acquireUninterruptibly();
    running.decrementAndGet();
    Throwable thrown = fault;
    fault = null;
    switch (thrown) {
      case null -> job.end(new DigestResult.Digested(DIGEST));
      case RuntimeException e -> job.end(new DigestResult.Failed(e));
      case Error e -> throw e;
      default -> throw new AssertionError(thrown);
    }
  }
}
