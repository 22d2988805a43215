package dev.spillway.auth.tokens;

/** What came of the wish for a new key. */
public sealed interface Rotation {
  /** The key is published, and will sign once every verifier has it. */
  record Begun(PublishedKey key) implements Rotation {}

  /** The key before it does not sign yet; begun by whomever. */
  record UnderWay(PublishedKey key) implements Rotation {}

  /** The keys come from files and are changed there. */
  record NotOurs() implements Rotation {}
}
