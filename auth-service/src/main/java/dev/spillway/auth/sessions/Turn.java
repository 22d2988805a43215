package dev.spillway.auth.sessions;

/** What the table says to a secret that was shown. */
sealed interface Turn {
  /**
   * The secret was valid.
   *
   * @param epoch of the user when the session began
   * @param next the one that is good now
   * @param repeated whether it had been used a moment ago
   */
  record Taken(long userId, long epoch, RefreshSecret next, boolean repeated) implements Turn {}

  /** There is no such session, any more or ever. */
  record Unknown() implements Turn {}

  /** It had run out. */
  record Expired() implements Turn {}

  /** It was used long ago, or made up by one who knows the session: the session is over now. */
  record Reused(long userId) implements Turn {}
}
