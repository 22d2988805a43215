package dev.spillway.locallambda.environment;

/** What befalls the process that runs an event; for trying out what callers make of it. */
public enum Mishap {
  NONE,
  /** SIGKILL when the work is done and the answer on its way: an invocation lost for certain. */
  CRASH,
  /** SIGTERM at the same moment: the process ends by itself. */
  EXIT,
  /** The answer is held back until the event has taken ten times as long as it did. */
  SLOW,
  /** A new process needs longer than init may take; the second attempt is as quick as ever. */
  SLOW_INIT,
  /** A new process needs longer than init and the invocation after it may take. */
  NO_INIT
}
