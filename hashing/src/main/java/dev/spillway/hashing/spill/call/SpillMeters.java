package dev.spillway.hashing.spill.call;

import dev.spillway.hashing.spill.target.SpillState;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import java.time.Duration;
import java.util.function.Supplier;

/** Receives the measurements of a spill. Its methods do nothing unless they are overridden. */
public interface SpillMeters {
  /** Measures nothing. */
  SpillMeters NONE = new SpillMeters() {};

  /** Called once; the state may be read at any time from then on. Its targets stay the same. */
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
