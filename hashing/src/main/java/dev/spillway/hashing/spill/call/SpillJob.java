package dev.spillway.hashing.spill.call;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.balance.Ticket;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** One caller's digest, for one attempt at it. */
public final class SpillJob {
  private enum Stage {
    WAITING,
    SENT,
    LEFT
  }

  private final DigestRequest.Job asked;
  private final Deadline deadline;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
  private final CompletableFuture<SpillAnswer> answer = new CompletableFuture<>();

  /** The ticket of the call it travels in; null as long as it waits for one. */
  private volatile Ticket ticket;

  private volatile Runnable onLeaving;

  /**
   * @param password at most 72 bytes; kept, not copied
   */
  public SpillJob(String id, BcryptSetting setting, byte[] password, Deadline deadline) {
    this.asked = new DigestRequest.Job(id, setting, password);
    this.deadline = deadline;
  }

  DigestRequest.Job asked() {
    return asked;
  }

  Deadline deadline() {
    return deadline;
  }

  int cost() {
    return asked.setting().cost();
  }

  /** The ticket of the call it travels in; null as long as it waits for one. */
  Ticket ticket() {
    return ticket;
  }

  /** Whether its caller still waits. */
  boolean wanted() {
    return stage.get() != Stage.LEFT && !deadline.passed();
  }

  /**
   * Goes into a call. False if the caller has left or has no time left: to leave and to be sent
   * exclude each other.
   *
   * @param leaving run when the caller leaves after this
   */
  boolean send(Ticket ofCall, Runnable leaving) {
    ticket = ofCall;
    onLeaving = leaving;
    return !deadline.passed() && stage.compareAndSet(Stage.WAITING, Stage.SENT);
  }

  /** Whether it had not been sent, and never will be. */
  boolean withdraw() {
    return stage.compareAndSet(Stage.WAITING, Stage.LEFT);
  }

  /** Nobody waits for the answer any more. */
  void leave() {
    if (stage.getAndSet(Stage.LEFT) == Stage.SENT) {
      onLeaving.run();
    }
  }

  void end(SpillAnswer ended) {
    answer.complete(ended);
  }

  /** Blocks the calling (virtual) thread. */
  SpillAnswer await(Duration atMost) throws TimeoutException, InterruptedException {
    try {
      return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("answers do not fail", e);
    }
  }
}
