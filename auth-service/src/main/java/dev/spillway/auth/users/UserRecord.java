package dev.spillway.auth.users;

import java.util.Set;

/**
 * One row of the user directory.
 *
 * @param id given by the database, ascending with creation
 * @param passwordHash whatever was stored, which need not be a hash we can verify; never null,
 *     empty if there is none
 * @param legacy whether the hash was imported; false once it was set through this service
 * @param epoch goes up with everything that ends what the user was granted before: a new password,
 *     disabling, an admin's word. It begins at random: what a deleted user was granted is not the
 *     next one's of the same login
 */
public record UserRecord(
    long id,
    LoginName login,
    String passwordHash,
    boolean legacy,
    boolean disabled,
    Set<String> groups,
    long epoch) {
  /** Longest stored hash, in characters. */
  public static final int MAX_HASH_LENGTH = 255;

  public UserRecord {
    groups = Set.copyOf(groups);
  }

  /** Whether a string can be stored as a hash at all; whether it can be verified is not asked. */
  public static boolean isStorableHash(String hash) {
    return hash != null
        && hash.length() <= MAX_HASH_LENGTH
        && hash.codePoints()
            .noneMatch(
                c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  public boolean isActiveAdmin() {
    return !disabled && groups.contains(GroupNames.ADMIN);
  }

  /** Leaves the hash out. */
  @Override
  public String toString() {
    return "UserRecord[%d, legacy=%s, disabled=%s]".formatted(id, legacy, disabled);
  }
}
