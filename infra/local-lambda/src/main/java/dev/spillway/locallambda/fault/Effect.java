package dev.spillway.locallambda.fault;

import dev.spillway.locallambda.environment.Mishap;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** How a {@link Fault} shows in an invocation. */
public sealed interface Effect {
  /** Everything is as it should be. */
  record None() implements Effect {}

  /** The service refuses; the function is not started. */
  record Refused(int status, String code, String message, Optional<String> reason)
      implements Effect {}

  /** The function fails within a millisecond; no process is started for it. */
  record FailedAtOnce() implements Effect {}

  /** The function is given something else to do than its caller asked for. */
  record Misled(byte[] event) implements Effect {}

  /** The function answers, and something else arrives. */
  record Spoilt(String contentType, UnaryOperator<byte[]> reply) implements Effect {}

  /** Something befalls the function's process. */
  record Befallen(Mishap mishap) implements Effect {}

  /** The connection misbehaves. */
  record Broken(Manner manner) implements Effect {}

  /** Ours is not the caller's time, and the time of signatures is checked by ours. */
  record OffClock(Duration by) implements Effect {}

  /** What a connection may do. */
  enum Manner {
    /** Nothing is ever answered. */
    SILENT,
    /** The answer comes at one byte a second. */
    DRIPPING,
    /** Reset (RST) when half of the answer has been sent. */
    RESET,
    /** Closed after a whole answer that had said nothing of it. */
    CLOSED
  }
}
