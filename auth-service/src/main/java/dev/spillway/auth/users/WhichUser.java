package dev.spillway.auth.users;

import java.util.function.Predicate;

/**
 * The user that a change is for.
 *
 * @param state what the user must be like when the change is made, under the lock of its row
 */
public record WhichUser(long id, Predicate<UserRecord> state) {
  /** In whatever state. */
  public static WhichUser of(long id) {
    return new WhichUser(id, user -> true);
  }
}
