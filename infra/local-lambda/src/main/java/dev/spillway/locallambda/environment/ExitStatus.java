package dev.spillway.locallambda.environment;

/** How a process ended, in the words of Lambda's Runtime.ExitError. */
record ExitStatus(int code) {
  /** The JDK reports death by signal N as 128 + N. */
  private static final int SIGNALLED = 128;

  Reply.Failed reply(String requestId) {
    String why =
        code == 0
            ? "Runtime exited without providing a reason"
            : "Runtime exited with error: " + this;
    return Reply.failed("Runtime.ExitError", "RequestId: " + requestId + " Error: " + why);
  }

  @Override
  public String toString() {
    return switch (code - SIGNALLED) {
      case 4 -> "signal: illegal instruction";
      case 6 -> "signal: aborted";
      case 7 -> "signal: bus error";
      case 9 -> "signal: killed";
      case 11 -> "signal: segmentation fault";
      case 15 -> "signal: terminated";
      default -> "exit status " + code;
    };
  }
}
