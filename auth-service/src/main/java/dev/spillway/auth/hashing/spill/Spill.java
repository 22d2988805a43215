package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Has digests computed by functions elsewhere. They compute; whoever asks here decides. */
public final class Spill implements AutoCloseable {
  private final Targets targets;
  private final Dispatch dispatch;
  private final KeepWarm keepWarm;
  private final SpillMeters meters;
  private final RetryBudget budget = new RetryBudget();
  private final AtomicLong ids = new AtomicLong();
  private volatile SpillPlan plan = SpillPlan.NOWHERE;

  /**
   * With nowhere to go until {@link #use}.
   *
   * @param targets none yet
   * @param events makes the event that a call sends, for instance with sealed passwords
   */
  Spill(Targets targets, Function<DigestRequest, byte[]> events, MeterRegistry registry) {
    this.targets = targets;
    this.meters = new SpillMeters(registry);
    Pings pings = new Pings();
    this.dispatch = new Dispatch(targets, pings, events, meters);
    this.keepWarm = new KeepWarm(targets, dispatch, pings, meters);
    meters.observe(targets, dispatch, pings);
  }

  /**
   * From now on this is where it spills to, and how. Calls that are out end as they would have. As
   * a whole or, if this throws, not at all.
   */
  public synchronized void use(SpillPlan changed) {
    targets.use(changed.targets());
    dispatch.group(changed.rules().maxGroup());
    plan = changed;
    meters.observe(targets, changed.targets().keySet());
    keepWarm.use(changed);
    dispatch.slotsAdded();
  }

  /** What is in use. */
  public SpillPlan plan() {
    return plan;
  }

  /** The targets as they are now, those leaving included. */
  public List<TargetState> targets() {
    return targets.states();
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
    SpillRules rules = plan.rules();
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
    return !targets.isEmpty();
  }

  /** Jobs that functions have taken and could take now. */
  public int room() {
    return dispatch.room();
  }

  /** Calls that have not been answered yet, over all targets. */
  public int outstanding() {
    return targets.outstanding();
  }

  /** Ends pings, and closes all connections. */
  @Override
  public void close() {
    keepWarm.close();
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
