package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.spill.balance.LeastOutstanding;
import dev.spillway.core.bcrypt.BcryptSetting;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Has digests computed by functions elsewhere. They compute; whoever asks here decides. */
public final class Spill {
  private static final SpillRules NO_RULES = new SpillRules(Duration.ZERO, 1, 0, false);

  /** Null if there is nowhere to spill to, as is {@link #dispatch}. */
  private final LeastOutstanding balancer;

  private final Dispatch dispatch;
  private final RetryBudget budget;
  private final SpillRules rules;
  private final AtomicLong ids = new AtomicLong();

  /**
   * @param balancer over the same targets in the same order; null if there are none
   */
  Spill(
      List<SpillTarget> targets,
      LeastOutstanding balancer,
      SpillRules rules,
      MeterRegistry registry) {
    this.balancer = balancer;
    this.rules = rules;
    this.budget = new RetryBudget(rules.retryPercent());
    if (balancer == null) {
      this.dispatch = null;
    } else {
      SpillMeters meters = new SpillMeters(registry);
      this.dispatch = new Dispatch(List.copyOf(targets), balancer, meters, rules.maxGroup());
      meters.observe(targets, balancer, dispatch);
    }
  }

  /** A spill with nowhere to go. */
  public static Spill none(MeterRegistry registry) {
    return new Spill(List.of(), null, NO_RULES, registry);
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
    budget.called();
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
    return balancer != null;
  }

  /** Calls that have not been answered yet, over all targets. */
  public int outstanding() {
    return enabled() ? IntStream.of(balancer.outstanding()).sum() : 0;
  }

  /**
   * An id nobody can guess is not needed: the answer comes on the request's own connection. It only
   * tells an answer from one meant for somebody else.
   */
  private String nextId() {
    return Long.toString(ids.getAndIncrement(), 36);
  }
}
