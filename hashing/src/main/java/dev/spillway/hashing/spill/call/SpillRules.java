package dev.spillway.hashing.spill.call;

import java.time.Duration;

/**
 * What is done besides calling once.
 *
 * @param groupWait how long a job may wait for a slot; zero for not at all
 * @param maxGroup jobs that waited and share a slot
 * @param retryPercent second calls for each hundred first ones
 */
public record SpillRules(Duration groupWait, int maxGroup, int retryPercent) {
  /**
   * A job waits as long as it waited for the pool before: with 50 calls of 250 ms outstanding, five
   * slots free in that time. Jobs that share a slot are as many as the function's lanes; more would
   * be computed one after the other. One second call for ten first ones makes up for a target that
   * fails one in ten, and does not double the load on the others when a region is down.
   */
  public static final SpillRules USUAL = new SpillRules(Duration.ofMillis(25), 4, 10);
}
