package dev.spillway.console.watch;

import java.util.Locale;
import java.util.Map;

/**
 * One spill target.
 *
 * @param pending calls made and not answered
 * @param bound of them
 * @param calls by what came of them: {@code computed} or the reason why there is no digest
 * @param latency of calls that brought a digest
 */
record Target(
    String name,
    int pending,
    int bound,
    Condition condition,
    Map<String, Rate> calls,
    Latency latency) {

  /** What an operator should know of it. */
  enum Condition {
    OPEN,
    /** Every call it may have is out. */
    FULL,
    /** Left alone for a while, for having failed. */
    COOLING,
    /** Refuses our credentials, permission or its name. */
    MISCONFIGURED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
