package dev.spillway.auth.hashing.spill;

import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import dev.spillway.locallambda.fault.Fault;

/**
 * What a login comes to when the pool is full and the function has a fault. The switch has no
 * default: a fault that can be injected and of which nobody has said what is to come of it does not
 * compile.
 *
 * @param right the status for the right password
 * @param wrong the status for a wrong one
 * @param orShed whether 503 is an answer too
 * @param outcome the label of {@code spillway_spill_call} that counts it
 */
record Expected(int right, int wrong, boolean orShed, String outcome) {
  static Expected of(Fault fault) {
    return switch (fault) {
      case THROTTLED_CONCURRENCY,
          THROTTLED_RATE,
          THROTTLED_RESERVED_CONCURRENCY,
          THROTTLED_RESERVED_RATE,
          THROTTLED_CALLER,
          THROTTLED_SNAPSHOTS ->
          shed(Reason.THROTTLED);
      case INTERNAL_ERROR, BAD_GATEWAY, UNAVAILABLE -> shed(Reason.UNAVAILABLE);
      case FORBIDDEN, NOT_FOUND -> shed(Reason.MISCONFIGURED);
      case TOO_LARGE -> shed(Reason.REJECTED);
      case FUNCTION_ERROR, FAILS_FAST, CRASH, EXIT -> shed(Reason.FUNCTION_ERROR);
      case HTML, EMPTY, TRUNCATED, WRONG_ID, SHORT_DIGEST, LONG_DIGEST -> shed(Reason.MALFORMED);
      case SILENT, DRIP, SLOW_INIT, NO_INIT -> shed(Reason.LATE);
      case RESET -> shed(Reason.UNREACHABLE);
      case WRONG_DIGEST -> new Expected(401, 401, false, "computed");
      // C1: a request that meets a connection just as it is closed is sent again.
      case SLOW, CLOCK_OFF, CLOSED -> new Expected(200, 401, false, "computed");
      case BAD_DAY -> new Expected(200, 401, true, "computed");
    };
  }

  boolean isRight(int status) {
    return status == right || (orShed && status == 503);
  }

  boolean isWrong(int status) {
    return status == wrong || (orShed && status == 503);
  }

  /** No digest, and no permit in time. */
  private static Expected shed(Reason reason) {
    return new Expected(503, 503, false, reason.label());
  }
}
