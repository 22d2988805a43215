package dev.spillway.auth.users;

import java.util.Objects;
import java.util.Set;

/**
 * A user to create.
 *
 * @param passwordHash see {@link UserRecord#isStorableHash}; empty for none
 * @param legacy true if the hash comes from another system
 * @param groups see {@link GroupNames}
 */
public record NewUser(
    LoginName login, String passwordHash, boolean legacy, boolean disabled, Set<String> groups) {
  public NewUser {
    Objects.requireNonNull(login, "login");
    if (!UserRecord.isStorableHash(passwordHash)) {
      throw new IllegalArgumentException("a hash that cannot be stored");
    }
    groups =
        GroupNames.parse(groups)
            .orElseThrow(() -> new IllegalArgumentException("groups " + GroupNames.RULE));
  }

  /** Leaves the hash out. */
  @Override
  public String toString() {
    return "NewUser[legacy=%s, disabled=%s]".formatted(legacy, disabled);
  }
}
