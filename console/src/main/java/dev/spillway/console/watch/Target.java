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

  /** The state to show to an operator. */
  enum Condition {
    OPEN,
    /** All of its slots are taken. */
    FULL,
    /** It failed and gets no calls for a while. */
    COOLING,
    /** It refuses credentials, permission or name. */
    MISCONFIGURED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
