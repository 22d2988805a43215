package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Has digests computed by functions elsewhere. They compute; whoever asks here decides. */
public final class Spill {
  private final List<SpillTarget> targets;
  private final SpillMeters meters;
  private final AtomicLong ids = new AtomicLong();

  Spill(List<SpillTarget> targets, MeterRegistry registry) {
    this.targets = List.copyOf(targets);
    this.meters = new SpillMeters(registry, this.targets);
  }

  /** A spill with nowhere to go. */
  public static Spill none(MeterRegistry registry) {
    return new Spill(List.of(), registry);
  }

  /**
   * Asks the target with the fewest calls outstanding. Blocks the calling (virtual) thread until
   * the answer or the deadline; an interrupt means that the client has gone, and stays set.
   *
   * @param password at most 72 bytes; left as it is
   */
  public SpillAnswer digest(BcryptSetting setting, byte[] password, Deadline deadline) {
    if (targets.isEmpty()) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.DISABLED);
    }
    if (deadline.passed()) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.LATE);
    }
    SpillTarget target =
        targets.stream().min(Comparator.comparingInt(SpillTarget::outstanding)).orElseThrow();
    // An id nobody can guess is not needed: the answer comes on the request's own connection. It
    // only tells an answer from one meant for somebody else.
    var job = new DigestRequest.Job(Long.toString(ids.getAndIncrement(), 36), setting, password);
    long start = System.nanoTime();
    SpillAnswer answer = target.call(job, deadline);
    meters.called(target, answer, System.nanoTime() - start);
    return answer;
  }

  /** Whether there is anywhere to spill to. */
  public boolean enabled() {
    return !targets.isEmpty();
  }

  /** Calls that have not been answered yet, over all targets. */
  public int outstanding() {
    return targets.stream().mapToInt(SpillTarget::outstanding).sum();
  }
}
