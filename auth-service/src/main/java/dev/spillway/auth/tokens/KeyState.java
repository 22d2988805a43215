package dev.spillway.auth.tokens;

/** What a key is for at some instant. A key that is retired is gone. */
public enum KeyState {
  /** Verifiers can fetch it; nothing is signed with it yet. */
  PUBLISHED,
  /** New tokens are signed with it. */
  SIGNING,
  /** Its successor signs; tokens that it has signed may still be good. */
  RETIRING
}
