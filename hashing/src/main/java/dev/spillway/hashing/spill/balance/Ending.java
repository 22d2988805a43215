package dev.spillway.hashing.spill.balance;

/** What came of a call, as far as it says something about the target. */
public enum Ending {
  /** It did what was asked of it. */
  ANSWERED,
  /** It did, in several times the time that another target takes. */
  SLOW,
  /** It works, but would not do this one. */
  DECLINED,
  /** It is broken, or not to be reached. */
  FAILED,
  /** It has as much to do as it may have. */
  THROTTLED,
  /** It will fail until an operator acts. */
  FORBIDDEN,
  /** The call ended before it told anything: its callers left, or it was never made. */
  UNSETTLED
}
