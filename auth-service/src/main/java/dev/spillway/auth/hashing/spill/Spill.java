package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Has digests computed by functions elsewhere. They compute; whoever asks here decides. */
public final class Spill implements AutoCloseable {
  private final Targets targets;
  private final Dispatch dispatch;
  private final SpillRules rules;
  private final RetryBudget budget = new RetryBudget();
  private final AtomicLong ids = new AtomicLong();

  /**
   * @param events makes the event that a call sends, for instance with sealed passwords
   */
  Spill(
      Targets targets,
      SpillRules rules,
      Function<DigestRequest, byte[]> events,
      MeterRegistry registry) {
    this.targets = targets;
    this.rules = rules;
    SpillMeters meters = new SpillMeters(registry);
    this.dispatch = new Dispatch(targets, rules.maxGroup(), events, meters);
    meters.observe(targets, dispatch);
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

  /** Closes all connections. */
  @Override
  public void close() {
    targets.close();
  }

  /**
   * An id nobody can guess is not needed: the answer comes on the request's own connection. It only
   * tells an answer from one meant for somebody else.
   */
  private String nextId() {
    return Long.toString(ids.getAndIncrement(), 36);
  }
}
