package dev.spillway.core.seal;

/** The result of opening a sealed password. */
public sealed interface Opened {
  /** The password, for the caller to wipe. */
  record Password(byte[] bytes) implements Opened {
    @Override
    public String toString() {
      return "Password[hidden]";
    }
  }

  /** The key's id is unknown. */
  record UnknownKey() implements Opened {}

  /** The seal is of another key or job, or was changed. */
  record Broken() implements Opened {}

  /** The seal is genuine, but its time is too far off: repeated, or one of two clocks is wrong. */
  record Stale() implements Opened {}
}
