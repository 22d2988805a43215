package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.balance.Ticket;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jboss.resteasy.reactive.RestResponse;

/** One call that asks for nothing: it keeps the environment that answers it. */
final class Ping {
  private static final byte[] NOTHING = WireFormat.write(DigestRequest.PING);

  /** What an environment may take to start, after which Lambda gives it up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What became of it. */
  sealed interface Outcome {
    /** The function is there. */
    record Answered() implements Outcome {}

    record Failed(SpillAnswer.Reason reason) implements Outcome {}

    /** A call needed its slot. */
    record GaveWay() implements Outcome {}
  }

  private final SpillTarget target;
  private final Ticket ticket;
  private final BiConsumer<Ping, Outcome> onEnd;
  private final AtomicBoolean over = new AtomicBoolean();
  private final long startNanos = System.nanoTime();
  private volatile CompletableFuture<RestResponse<byte[]>> http;

  /**
   * @param onEnd told once, by whoever ends it
   */
  Ping(SpillTarget target, Ticket ticket, BiConsumer<Ping, Outcome> onEnd) {
    this.target = target;
    this.ticket = ticket;
    this.onEnd = onEnd;
  }

  SpillTarget target() {
    return target;
  }

  Ticket ticket() {
    return ticket;
  }

  /**
   * May take as long as looking for credentials does; what it waits for after that, it does not.
   */
  void send() {
    if (over.get()) {
      return; // it gave way while it was held up, and a call has its slot
    }
    CompletableFuture<RestResponse<byte[]>> made;
    try {
      made = target.endpoint().post(NOTHING, PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      made = CompletableFuture.failedFuture(new CancellationException());
    } catch (RuntimeException e) {
      made = CompletableFuture.failedFuture(e);
    }
    var _ = made.whenComplete((response, failure) -> answered(response, failure));
    http = made;
    if (over.get()) {
      made.cancel(true);
    }
    CompletableFuture<?> late = made;
    CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> late.cancel(true));
  }

  /** Whether it was still out, and its slot is free now. */
  boolean giveWay() {
    boolean gave = end(new Outcome.GaveWay());
    CompletableFuture<?> made = http;
    if (gave && made != null) {
      made.cancel(true);
    }
    return gave;
  }

  private void answered(RestResponse<byte[]> response, Throwable failure) {
    Replies.Read read = Replies.read(response, failure);
    end(read.reply() == null ? new Outcome.Failed(read.reason()) : new Outcome.Answered());
  }

  private boolean end(Outcome outcome) {
    boolean first = over.compareAndSet(false, true);
    if (first) {
      onEnd.accept(this, outcome);
    }
    return first;
  }

  /** Since it was given its slot. */
  Duration took() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }
}
