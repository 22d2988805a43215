package dev.spillway.locallambda.environment;

/** How one event ended, as its caller sees it. */
public sealed interface Reply {
  /** The function's own bytes. */
  record Answered(byte[] payload) implements Reply {}

  /** A function error: HTTP 200 all the same, with X-Amz-Function-Error. */
  record Failed(byte[] body) implements Reply {}

  /** Not started: every environment that may exist is busy. Nothing was run, a retry is safe. */
  record Throttled(boolean reserved) implements Reply {}

  /** A failure that the service words itself. */
  static Failed failed(String errorType, String errorMessage) {
    return new Failed(ErrorBody.of(errorType, errorMessage));
  }
}
