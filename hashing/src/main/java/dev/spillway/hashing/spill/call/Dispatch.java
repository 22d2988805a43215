package dev.spillway.hashing.spill.call;

import dev.spillway.hashing.spill.balance.Choice;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.balance.Ticket;
import dev.spillway.hashing.spill.target.SpillTarget;
import dev.spillway.hashing.spill.target.Targets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives jobs to targets: one job to a call as long as there are slots and jobs come one by one, and
 * several when not.
 */
public final class Dispatch implements Call.Owner {
  /*
   * Invariants, each pinned by the test that carries its number in GroupTest:
   *
   *   D1  A job that finds a free slot goes at once and alone, unless others come close behind it:
   *       Gathering.
   *   D2  When a slot frees, the jobs that wait for one, oldest first and at most `maxGroup`, share
   *       it.
   *   D3  No job waits beside a free slot. A job that joins looks for a slot once more, and
   *       a call that frees one looks for a job: of the two, one sees the other.
   *
   * `waiting` holds jobs, not threads: each caller waits for its own job, with its own timeout, and
   * a job that has been withdrawn is skipped.
   */
  private final CallParts parts;
  private final Targets targets;
  private final BlockingQueue<SpillJob> waiting = new LinkedBlockingQueue<>();
  private final AtomicInteger travelling = new AtomicInteger();
  private final int maxGroup;
  private final Gathering gathering;

  /**
   * @param maxGroup jobs that waited and may share a slot
   */
  public Dispatch(CallParts parts, int maxGroup) {
    this.parts = parts;
    this.targets = parts.targets();
    this.maxGroup = maxGroup;
    this.gathering = new Gathering(targets::take, this::call, maxGroup, System::nanoTime);
  }

  SpillMeters meters() {
    return parts.meters();
  }

  /** The job is on its way, alone or in company, or nothing has happened to it. */
  Choice send(SpillJob job) {
    return gathering.send(job);
  }

  Call call(Ticket ticket) {
    return new Call(ticket, parts, this);
  }

  /** Where else a job could go, and nothing has happened yet; the ticket is the caller's to end. */
  Choice elsewhere(Ticket first) {
    return targets.takeInsteadOf(first);
  }

  SpillTarget target(Ticket ticket) {
    return targets.of(ticket);
  }

  void send(Ticket ticket, SpillJob job) {
    Call call = call(ticket);
    if (call.add(job)) {
      call.start();
    } else {
      end(ticket, Ending.UNSETTLED);
    }
  }

  /** False if too many wait already. */
  boolean join(SpillJob job) {
    if (waiting.size() >= targets.slots() * maxGroup) {
      return false;
    }
    waiting.add(job);
    serveWaiting();
    return true;
  }

  /** For a job that has been withdrawn. */
  void forget(SpillJob job) {
    waiting.remove(job);
  }

  /** Jobs that wait for a slot. */
  public int waiting() {
    return waiting.size();
  }

  @Override
  public void travelling(int jobs) {
    travelling.addAndGet(jobs);
  }

  /** Jobs that functions have taken, and as many more as there are free slots. */
  public int room() {
    return travelling.get() + targets.free();
  }

  @Override
  public void end(Ticket ticket, Ending ending) {
    targets.end(ticket, ending);
    if (!waiting.isEmpty()) {
      // Not on this thread: it may be one that serves all connections, and signing takes a while.
      Thread.startVirtualThread(this::serveWaiting);
    }
  }

  private void serveWaiting() {
    while (!waiting.isEmpty() && targets.take() instanceof Choice.Taken(Ticket ticket)) {
      Call call = call(ticket);
      for (SpillJob job = waiting.poll(); job != null; job = waiting.poll()) {
        call.add(job);
        if (call.size() >= maxGroup) {
          break;
        }
      }
      if (call.size() > 0) {
        call.start();
      } else {
        targets.end(ticket, Ending.UNSETTLED);
      }
    }
  }
}
