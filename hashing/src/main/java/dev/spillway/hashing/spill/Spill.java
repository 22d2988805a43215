package dev.spillway.hashing.spill;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.balance.LeastOutstanding;
import dev.spillway.hashing.spill.call.Attempts;
import dev.spillway.hashing.spill.call.CallParts;
import dev.spillway.hashing.spill.call.Dispatch;
import dev.spillway.hashing.spill.call.RetryBudget;
import dev.spillway.hashing.spill.call.SpillJob;
import dev.spillway.hashing.spill.call.SpillMeters;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.target.SpillState;
import dev.spillway.hashing.spill.target.SpillTarget;
import dev.spillway.hashing.spill.target.Targets;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.Transport;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Has digests computed by functions elsewhere. They compute; the caller decides. */
public final class Spill implements AutoCloseable {
  private final Targets targets;
  private final Dispatch dispatch;
  private final SpillRules rules;
  private final Transport transport;
  private final RetryBudget budget = new RetryBudget();
  private final AtomicLong ids = new AtomicLong();

  /**
   * @param maxOutstanding calls that may be outstanding at once, by the names of the targets; empty
   *     for nowhere to spill to
   * @param coolDown of a target that fails
   * @param events makes the request that a call sends, for instance with sealed passwords
   */
  public Spill(
      SortedMap<String, Integer> maxOutstanding,
      CoolDown coolDown,
      SpillRules rules,
      Function<DigestRequest, byte[]> events,
      Transport transport,
      SpillMeters meters) {
    this.targets =
        new Targets(
            new LeastOutstanding(
                List.copyOf(maxOutstanding.values()),
                coolDown,
                System::nanoTime,
                bound -> ThreadLocalRandom.current().nextInt(bound)),
            maxOutstanding.entrySet().stream()
                .map(target -> new SpillTarget(target.getKey(), target.getValue()))
                .toList());
    this.rules = rules;
    this.transport = transport;
    this.dispatch =
        new Dispatch(new CallParts(targets, events, transport, meters), rules.maxGroup());
    meters.observe(this::state);
  }

  /**
   * Asks the target with the fewest calls outstanding, and another if that fails at once. Blocks
   * the calling (virtual) thread until the answer or the deadline; an interrupt means that the
   * client has gone, and stays set.
   *
   * @param password at most 72 bytes; left as it is
   */
  public SpillAnswer digest(BcryptSetting setting, byte[] password, Deadline deadline) {
    if (!enabled()) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.DISABLED);
    }
    if (deadline.passed()) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.LATE);
    }
    budget.called(rules.retryPercent());
    try {
      return new Attempts(
              dispatch,
              budget,
              rules,
              () -> new SpillJob(nextId(), setting, password, deadline),
              deadline)
          .run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.LATE);
    }
  }

  /** Whether there is anywhere to spill to. */
  public boolean enabled() {
    return !targets.all().isEmpty();
  }

  /** Jobs that functions have taken and could take now. */
  public int room() {
    return dispatch.room();
  }

  /** Calls that have not been answered yet, over all targets. */
  public int outstanding() {
    return targets.outstanding();
  }

  /** Closes the transport. */
  @Override
  public void close() {
    transport.close();
  }

  /** All its figures at this moment. */
  public SpillState state() {
    return new SpillState(dispatch.waiting(), targets.state());
  }

  /**
   * An id nobody can guess is not needed: the answer comes on the request's own connection. It only
   * tells an answer from one meant for somebody else.
   */
  private String nextId() {
    return Long.toString(ids.getAndIncrement(), 36);
  }
}
