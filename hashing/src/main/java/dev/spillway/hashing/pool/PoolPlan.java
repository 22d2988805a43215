package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.DigestEngine;
import java.util.OptionalInt;

/**
 * The size and priority a pool starts with, and why, in words for the log.
 *
 * @param threads hashing threads
 * @param priority of each of them
 */
public record PoolPlan(int threads, HashPriority priority, String why) {
  /**
   * Lowered threads let others run as soon as they wake up, so they may have every core; normal
   * ones leave one.
   *
   * @param configured threads the operator asks for
   * @param wanted priority the operator asks for
   * @param works whether this system can give it
   */
  static PoolPlan of(int cores, OptionalInt configured, HashPriority wanted, boolean works) {
    HashPriority priority = works ? wanted : HashPriority.NORMAL;
    String downgrade =
        works ? "" : "; priority " + wanted.label() + " cannot be had on this system";
    if (configured.isPresent()) {
      return new PoolPlan(configured.getAsInt(), priority, "as configured" + downgrade);
    }
    if (priority != HashPriority.NORMAL) {
      return new PoolPlan(cores, priority, "every core: other threads run as soon as they wake up");
    }
    return new PoolPlan(
        Math.max(1, cores - 1),
        priority,
        "one of " + cores + " core(s) left for everything else" + downgrade);
  }

  /** The plan for this machine. */
  public static PoolPlan of(OptionalInt threads, HashPriority priority) {
    return of(Runtime.getRuntime().availableProcessors(), threads, priority, priority.works());
  }

  /** One line for the log. */
  public String describe(DigestEngine engine) {
    return "%d hash(es) at once: %d thread(s) (%s) of %d lane(s), engine %s, priority %s"
        .formatted(
            threads * engine.lanes(),
            threads,
            why,
            engine.lanes(),
            engine.name(),
            priority.label());
  }
}
