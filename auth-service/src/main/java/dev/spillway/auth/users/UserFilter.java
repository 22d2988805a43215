package dev.spillway.auth.users;

import java.util.Optional;

/**
 * Which users are wanted; empty means all.
 *
 * @param loginPrefix of logins in their normal form
 * @param group one that they are in
 */
public record UserFilter(
    Optional<LoginName> login,
    Optional<String> loginPrefix,
    Optional<String> group,
    Optional<Boolean> disabled) {
  /** Everybody. */
  public static final UserFilter ALL =
      new UserFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
