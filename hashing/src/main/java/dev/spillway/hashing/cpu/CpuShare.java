package dev.spillway.hashing.cpu;

import java.util.Locale;

/**
 * The CPU time that hash threads get, as a part of what they have work for.
 *
 * @param share 0 to 1; 1 if there was hardly any work
 * @param cause of a share that is too small to be normal
 * @param takenCores cores that were wanted and went elsewhere
 */
public record CpuShare(double share, Cause cause, double takenCores) {
  /** With less than this the pool is called short of CPU: beside it, the service itself works. */
  private static final double SHORT = 0.6;

  /** With less work than that many cores, a share says nothing. */
  private static final double WORTH_MEASURING = 0.2;

  static final CpuShare FULL = new CpuShare(1, Cause.NONE, 0);

  /** What takes the CPU time of hash threads. */
  public enum Cause {
    NONE("hash threads get the CPU time they want"),
    QUOTA("this container's CPU quota is used up"),
    OTHERS("other processes take this machine's CPU"),
    SERVICE("the rest of this service takes this machine's CPU");

    private final String words;

    Cause(String words) {
      this.words = words;
    }
  }

  /** Whether hashing gets clearly less than it could use. */
  public boolean isShort() {
    return cause != Cause.NONE;
  }

  /** One sentence without a full stop, for people; with figures if the share is short. */
  public String reason() {
    return isShort()
        ? String.format(
            Locale.ROOT,
            "%s: hashing gets %.0f %% of what it has work for and lacks %.1f cores",
            cause.words,
            share * 100,
            takenCores)
        : cause.words;
  }

  /**
   * Between two samples.
   *
   * @param processors that hash threads may run on: more threads than that want no more
   */
  static CpuShare between(CpuSample then, CpuSample now, int processors) {
    double wanted = Math.min(processors, now.cores(now.wanted().minus(then.wanted()), then));
    double had = now.cores(now.had().minus(then.had()), then);
    if (wanted < WORTH_MEASURING) {
      return FULL;
    }
    double share = Math.clamp(had / wanted, 0, 1);
    if (share >= SHORT) {
      return new CpuShare(share, Cause.NONE, wanted - Math.min(had, wanted));
    }
    double taken = wanted - had;
    boolean quota = now.throttled() > then.throttled() || now.paused().compareTo(then.paused()) > 0;
    double process = now.cores(now.process().minus(then.process()), then);
    double others = now.cores(now.machine().minus(then.machine()), then) - process;
    Cause cause =
        quota ? Cause.QUOTA : others >= now.restCores(then) ? Cause.OTHERS : Cause.SERVICE;
    return new CpuShare(share, cause, taken);
  }
}
