package dev.spillway.hashing.spill;

import java.time.Duration;
import java.util.function.Supplier;

/** What a spill tells of itself to whoever measures it. Methods do nothing unless overridden. */
public interface SpillMeters {
  /** Measures nothing. */
  SpillMeters NONE = new SpillMeters() {};

  /** The spill exists from now on; its targets stay the same. */
  default void observe(Supplier<SpillState> spill) {}

  /**
   * A call has ended.
   *
   * @param took with the time for which its function goes on where it was broken off
   * @param jobs that travelled in it
   */
  default void called(String target, SpillAnswer answer, Duration took, int jobs) {}

  /** An answered call met a cold start, by the look of it. */
  default void coldStart(String target, Duration took) {}

  /** No call was made for a job. */
  default void refused(SpillAnswer.Reason reason) {}

  /** A second call was made after a failure. */
  default void retried(String target) {}
}
