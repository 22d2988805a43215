package dev.spillway.hashing.spill;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.spill.wire.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A transport to a function that answers when a test lets it, and goes on when it is cancelled. */
final class HeldFunction implements Transport {
  static final BcryptDigest DIGEST = BcryptDigest.of("uG0VCzI2bS7j6ymqJi9CdcdxiRTWNyO");

  private final List<Integer> jobsOfCalls = new CopyOnWriteArrayList<>();
  private volatile Semaphore gate = open();
  private volatile Duration takes = Duration.ZERO;

  @Override
  public CompletableFuture<byte[]> call(String target, byte[] request, Duration patience) {
    List<DigestRequest.Job> jobs = jobs(request);
    jobsOfCalls.add(jobs.size());
    Semaphore at = gate;
    Duration work = takes;
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          at.acquireUninterruptibly();
          work(work);
          reply.complete(
              WireFormat.write(
                  new DigestReply(
                      jobs.stream()
                          .<DigestReply.Result>map(
                              job -> new DigestReply.Computed(job.id(), DIGEST))
                          .toList())));
        });
    return reply;
  }

  /** Calls that were made. */
  int calls() {
    return jobsOfCalls.size();
  }

  List<Integer> jobsOfCalls() {
    return jobsOfCalls;
  }

  void computesIn(Duration time) {
    takes = time;
  }

  /** From now on every answer needs {@link #letOne}. */
  void hold() {
    gate = new Semaphore(0);
  }

  void letOne() {
    gate.release();
  }

  void letAll() {
    Semaphore old = gate;
    gate = open();
    old.release(1_000_000);
  }

  private static List<DigestRequest.Job> jobs(byte[] request) {
    try {
      return WireFormat.readRequest(request, 31).runnable();
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void work(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Semaphore open() {
    return new Semaphore(Integer.MAX_VALUE / 2);
  }
}
