package dev.spillway.hashing.spill.call;

import dev.spillway.core.wire.DigestRequest;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.balance.Ticket;
import dev.spillway.hashing.spill.target.SpillTarget;
import dev.spillway.hashing.spill.wire.Replies;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One invocation of a function, and the jobs that travel in it. */
final class Call {
  /*
   * Invariants, each pinned by the test that carries its number in FaultMatrixTest or GroupTest:
   *
   *   C1  The ticket is ended once, whatever becomes of the call, before any caller hears of it.
   *   C2  A job whose caller left before the call was made does not travel.
   *   C3  When one caller leaves, the call goes on for the others; when all have left, it is broken
   *       off.
   *   C4  A function goes on after its call was broken off, and AWS bills it to its end: its slot is
   *       kept and its time counted as long as a call usually takes, as far as that is known.
   *
   * Jobs are added by one thread at a time, and only before one of them starts the call. `callers` and
   * `http` are each written by one side and then read by the other, so of a last caller leaving and
   * a call being made at the same moment, at least one sees the other.
   */

  /** How many times what the fastest target takes is slow. Regions and loads differ by less. */
  private static final int SLOW = 4;

  private static final Duration PATIENCE_WITH_A_STRANGER = Duration.ofSeconds(1);

  private final SpillTarget target;
  private final Ticket ticket;
  private final CallParts parts;
  private final Owner owner;
  private final List<SpillJob> jobs = new ArrayList<>();
  private final AtomicInteger callers = new AtomicInteger();
  private volatile CompletableFuture<byte[]> http;
  private boolean stranger;
  private long startNanos;

  /** Hears of calls. */
  interface Owner {
    /** A call with so many jobs begins, or ends if negative. */
    void travelling(int jobs);

    /** A call has ended, and with it its ticket. */
    void end(Ticket ticket, Ending ending);
  }

  Call(Ticket ticket, CallParts parts, Owner owner) {
    this.target = parts.targets().of(ticket);
    this.ticket = ticket;
    this.parts = parts;
    this.owner = owner;
  }

  Ticket ticket() {
    return ticket;
  }

  int size() {
    return jobs.size();
  }

  /** False if the job's caller has left. */
  boolean add(SpillJob job) {
    callers.incrementAndGet();
    if (job.send(ticket, this::left)) {
      jobs.add(job);
      return true;
    }
    callers.decrementAndGet();
    return false;
  }

  /** Makes the call for the callers that are still there; every job is answered in the end. */
  void start() {
    stranger = !target.times().known();
    startNanos = System.nanoTime();
    jobs.removeIf(job -> !job.wanted());
    if (jobs.isEmpty()) {
      owner.end(ticket, Ending.UNSETTLED);
      return;
    }
    byte[] event = event();
    CompletableFuture<byte[]> made;
    owner.travelling(jobs.size());
    try {
      made = parts.transport().call(target.name(), event, jobs.getFirst().deadline().remaining());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      made = CompletableFuture.failedFuture(new CancellationException());
    } catch (RuntimeException e) {
      made = CompletableFuture.failedFuture(e);
    }
    // First this, so that the caller that breaks the call off finds its slot free afterwards.
    var _ = made.whenComplete((reply, failure) -> ended(reply, failure, event));
    http = made;
    if (callers.get() == 0) {
      made.cancel(true);
    }
  }

  /** Should it be impossible to make, that is our fault and not the target's. */
  private byte[] event() {
    try {
      return parts.requests().apply(new DigestRequest(jobs.stream().map(SpillJob::asked).toList()));
    } catch (RuntimeException e) {
      owner.end(ticket, Ending.UNSETTLED);
      jobs.forEach(job -> job.end(new SpillAnswer.NoDigest(SpillAnswer.Reason.REJECTED)));
      throw e;
    }
  }

  /** A caller has left. */
  private void left() {
    boolean last = callers.decrementAndGet() == 0;
    CompletableFuture<?> made = http;
    if (last && made != null) {
      made.cancel(true);
    }
  }

  private void ended(byte[] reply, Throwable failure, byte[] event) {
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    Arrays.fill(event, (byte) 0);
    owner.travelling(-jobs.size());
    Replies.Read read = Replies.read(reply, failure);
    List<SpillAnswer> answers = jobs.stream().map(job -> read.answer(job.asked().id())).toList();
    SpillAnswer best =
        answers.stream()
            .filter(SpillAnswer.Computed.class::isInstance)
            .findFirst()
            .orElse(answers.getFirst());
    Ending ending = ending(best, took);
    Duration usual = target.times().of(cost());
    Duration goesOn = isLate(best) && usual.compareTo(took) > 0 ? usual.minus(took) : Duration.ZERO;
    if (goesOn.isZero()) {
      owner.end(ticket, ending);
    } else {
      CompletableFuture.delayedExecutor(goesOn.toNanos(), TimeUnit.NANOSECONDS)
          .execute(() -> owner.end(ticket, ending));
    }
    target.ended(best);
    parts.meters().called(target.name(), best, took.plus(goesOn), size());
    if (best instanceof SpillAnswer.Computed) {
      if (cold(took)) {
        parts.meters().coldStart(target.name(), took);
      }
      target.times().measured(cost(), took);
    }
    for (int i = 0; i < answers.size(); i++) {
      jobs.get(i).end(answers.get(i));
    }
  }

  private Ending ending(SpillAnswer answer, Duration took) {
    Ending ending = Replies.ending(answer);
    if (ending == Ending.ANSWERED && slow(took)) {
      return Ending.SLOW;
    }
    return isLate(answer) ? lateness(took) : ending;
  }

  private static boolean isLate(SpillAnswer answer) {
    return answer instanceof SpillAnswer.NoDigest(SpillAnswer.Reason reason)
        && reason == SpillAnswer.Reason.LATE;
  }

  /** By its outstanding calls alone a target ten times slower would still be given a tenth. */
  private boolean slow(Duration took) {
    Duration fastest = parts.targets().fastest(cost());
    return !fastest.isZero() && took.compareTo(fastest.multipliedBy(SLOW)) > 0;
  }

  /**
   * A target that let a deadline pass which others would have met has failed. A caller that came
   * with too little time, or went away, says nothing about it.
   */
  private Ending lateness(Duration took) {
    Duration usual = target.times().of(cost());
    Duration patience = usual.isZero() ? PATIENCE_WITH_A_STRANGER : usual.multipliedBy(2);
    boolean missed =
        jobs.stream().map(SpillJob::deadline).anyMatch(due -> due.passed() && !due.abandoned());
    return missed && took.compareTo(patience) >= 0 ? Ending.FAILED : Ending.UNSETTLED;
  }

  /** As far as can be told from outside: the first call ever, or far slower than usual. */
  private boolean cold(Duration took) {
    Duration usual = target.times().of(cost());
    return stranger
        || (!usual.isZero()
            && took.compareTo(usual.multipliedBy(3)) > 0
            && took.minus(usual).toMillis() > 200);
  }

  private int cost() {
    return jobs.getFirst().cost();
  }
}
