package dev.spillway.auth.throttle;

import dev.spillway.auth.database.Beside;
import dev.spillway.auth.hashing.spend.Requester;
import dev.spillway.hashing.deadline.Deadline;

/**
 * One attempt to log in, from before its look-up until it is known how it ended. In order: the
 * look-up, which brings the tallies along; {@link #admit}; the hash; {@link #right}, {@link #wrong}
 * or {@link #abandoned}, or none if no hash ended; {@link #close}.
 */
public interface Attempt extends Beside, Requester, AutoCloseable {
  /** Looks the tallies up when there is no user to be looked up. */
  void lookUp();

  /** Blocks the calling (virtual) thread until the deadline at the latest. */
  Admission admit(Deadline deadline);

  /** The password was the right one. */
  void right();

  /**
   * The password was wrong, or there is no such user, or the user is disabled.
   *
   * @throws dev.spillway.auth.database.DatabaseUnavailable if it could not be counted: then it must
   *     not be answered either
   */
  void wrong();

  /**
   * The client left after a hash for it had begun. That counts against its network and not against
   * the account: whether the password was right is not known.
   */
  void abandoned();

  @Override
  void close();
}
