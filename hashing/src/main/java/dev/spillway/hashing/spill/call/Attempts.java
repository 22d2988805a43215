package dev.spillway.hashing.spill.call;

import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.balance.Choice;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.balance.Ticket;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** One caller's way to a digest: a call, and at most one more, on another target. */
public final class Attempts {
  private final Dispatch dispatch;
  private final RetryBudget budget;
  private final SpillRules rules;
  private final Supplier<SpillJob> jobs;
  private final Deadline deadline;

  /**
   * @param jobs a new job for the same digest each time
   */
  public Attempts(
      Dispatch dispatch,
      RetryBudget budget,
      SpillRules rules,
      Supplier<SpillJob> jobs,
      Deadline deadline) {
    this.dispatch = dispatch;
    this.budget = budget;
    this.rules = rules;
    this.jobs = jobs;
    this.deadline = deadline;
  }

  /** Blocks the calling (virtual) thread. */
  public SpillAnswer run() throws InterruptedException {
    SpillJob job = jobs.get();
    try {
      SpillAnswer answer =
          switch (dispatch.send(job)) {
            case Choice.Taken taken -> answerTo(job);
            case Choice.Full full -> sharing(job);
            case Choice.Cooling cooling -> refused(Reason.COOLING);
            case Choice.None none -> new SpillAnswer.NoDigest(Reason.DISABLED);
          };
      return worthAnother(answer) ? another(job, answer) : answer;
    } finally {
      job.leave();
    }
  }

  /** Waits a little for a slot that others may share. */
  private SpillAnswer sharing(SpillJob job) throws InterruptedException {
    Duration wait = deadline.limit(rules.groupWait());
    if (wait.isZero() || !dispatch.join(job)) {
      return refused(Reason.FULL);
    }
    try {
      return job.await(wait);
    } catch (TimeoutException e) {
      return withdrawn(job) ? refused(Reason.FULL) : answerTo(job);
    } catch (InterruptedException e) {
      if (!withdrawn(job)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return refused(Reason.FULL); // no call was made for it
    }
  }

  private boolean withdrawn(SpillJob job) {
    boolean withdrawn = job.withdraw();
    if (withdrawn) {
      dispatch.forget(job);
    }
    return withdrawn;
  }

  private SpillAnswer answerTo(SpillJob job) throws InterruptedException {
    try {
      return job.await(deadline.remaining());
    } catch (TimeoutException e) {
      return new SpillAnswer.NoDigest(Reason.LATE);
    } finally {
      job.leave();
    }
  }

  private SpillAnswer another(SpillJob job, SpillAnswer answer) throws InterruptedException {
    SpillJob again = jobs.get();
    if (!sendElsewhere(again, job)) {
      return answer;
    }
    dispatch.meters().retried(dispatch.target(again.ticket()).name());
    try {
      return again.await(deadline.remaining());
    } catch (TimeoutException e) {
      return new SpillAnswer.NoDigest(Reason.LATE);
    } finally {
      again.leave();
    }
  }

  /** Only where there is a slot, and time for a call, and only so often. */
  private boolean sendElsewhere(SpillJob job, SpillJob first) {
    if (!(dispatch.elsewhere(first.ticket()) instanceof Choice.Taken(Ticket ticket))) {
      return false;
    }
    Duration needed = dispatch.target(ticket).times().of(job.cost());
    if (deadline.remaining().compareTo(needed) <= 0 || !budget.spend(rules.retryPercent())) {
      dispatch.end(ticket, Ending.UNSETTLED);
      return false;
    }
    dispatch.send(ticket, job);
    return true;
  }

  /** What failed at once and may well succeed elsewhere. Nothing is retried where it failed. */
  private boolean worthAnother(SpillAnswer answer) {
    return answer instanceof SpillAnswer.NoDigest(Reason reason)
        && switch (reason) {
          case THROTTLED, UNREACHABLE, MISCONFIGURED, UNAVAILABLE, FUNCTION_ERROR, MALFORMED ->
              true;
          // Every target has the same keys, or should: elsewhere it would be refused again.
          case DISABLED, FULL, COOLING, LATE, REJECTED, DECLINED, SEAL_REFUSED -> false;
        };
  }

  private SpillAnswer refused(Reason reason) {
    dispatch.meters().refused(reason);
    return new SpillAnswer.NoDigest(reason);
  }
}
