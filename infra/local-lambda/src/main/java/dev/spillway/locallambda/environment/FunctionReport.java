package dev.spillway.locallambda.environment;

import java.util.List;

/**
 * What a function has done and has running, counted since the start.
 *
 * @param started processes forked, second attempts at init included
 * @param live processes that have not ended: initialising, busy and frozen ones
 * @param coldStarts invocations that found no idle environment
 * @param invocations events that were not throttled
 * @param crashes processes that ended without being asked to
 * @param pids the live processes, which are also their process groups
 */
public record FunctionReport(
    String name,
    int concurrency,
    long started,
    long live,
    long initialising,
    long busy,
    long frozen,
    long coldStarts,
    long invocations,
    long throttles,
    long functionErrors,
    long timeouts,
    long crashes,
    List<Long> pids) {
  public FunctionReport {
    pids = List.copyOf(pids);
  }
}
