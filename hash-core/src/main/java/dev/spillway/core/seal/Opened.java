package dev.spillway.core.seal;

/** What came of opening a sealed password. */
public sealed interface Opened {
  /** The password, for the caller to wipe. */
  record Password(byte[] bytes) implements Opened {
    @Override
    public String toString() {
      return "Password[hidden]";
    }
  }

  /** It names a key that is not here. */
  record UnknownKey() implements Opened {}

  /** It was sealed with another key, or for another job, or was changed. */
  record Broken() implements Opened {}

  /** It is genuine, and its time is too far from ours: repeated, or one of two clocks is wrong. */
  record Stale() implements Opened {}
}
