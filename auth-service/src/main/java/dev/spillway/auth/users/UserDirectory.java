package dev.spillway.auth.users;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Beside;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table of users.
 *
 * <p>Every method borrows one connection and has given it back when it returns, so a caller may
 * wait for a hash as long as it likes between two calls. Every method may throw {@link
 * dev.spillway.auth.database.DatabaseUnavailable}. What comes along with a change is told also when
 * there was nothing to change.
 */
public interface UserDirectory {
  /** One look-up in the unique index on the login. */
  Optional<UserRecord> find(LoginName login);

  /** The same look-up, with rows of another table in the same round trip. */
  Optional<UserRecord> find(LoginName login, Beside beside);

  /** One look-up in the primary key. */
  Optional<UserRecord> find(long id);

  /** False, and nothing is changed, if the login is taken. */
  boolean create(NewUser user, AddedRows<Boolean> extra);

  /** The same, with nothing along. */
  default boolean create(NewUser user) {
    return create(user, AddedRows.nothing());
  }

  /**
   * Creates many users in one transaction; the answer at an index belongs to the user at that
   * index. A login that is taken, in the directory or earlier in the list, is left as it is.
   */
  List<ImportResult> importAll(List<NewUser> users, AddedRows<List<ImportResult>> extra);

  /** Sets a hash of our own making, which ends {@code legacy} and the user's epoch. */
  ChangeResult setPasswordHash(WhichUser which, String hash, AddedRows<Boolean> extra);

  /**
   * Sets a hash only if the stored one is still the one in {@code seen}, so that a caller which
   * verified that one does not undo a change of password made since. The password stays the same,
   * and so does the epoch.
   */
  boolean replacePasswordHash(UserRecord seen, String hash);

  /** Ends the user's epoch, so that its sessions are over. */
  ChangeResult endEpoch(WhichUser which, AddedRows<Boolean> extra);

  /** Disabling ends the user's epoch too. */
  ChangeResult setDisabled(WhichUser which, boolean disabled, AddedRows<Boolean> extra);

  /** The groups stand in the user's next token; its sessions go on. */
  ChangeResult setGroups(WhichUser which, Set<String> groups, AddedRows<Boolean> extra);

  /** Deletes the user and its sessions. */
  ChangeResult delete(WhichUser which, AddedRows<Boolean> extra);

  /**
   * How many users have a stored hash that begins with each of these, such as {@code $2b$12$} or
   * {@code $scrypt$ln=14,r=8,p=1,l=64$}; under none, all whose hash looks otherwise. Counted with
   * each change.
   */
  Map<String, Long> countByHashHead();

  /** 256 random bits that all instances know, and nobody else. */
  byte[] decoyKey();

  /** Whether there is no user at all. */
  boolean isEmpty();

  /**
   * A page of users by ascending id.
   *
   * @param filter only users of this kind
   * @param after only users with a greater id; 0 for the first page
   * @param limit most users on the page, positive
   */
  List<UserRecord> list(UserFilter filter, long after, int limit);

  /** The same, of everybody. */
  default List<UserRecord> list(long after, int limit) {
    return list(UserFilter.ALL, after, limit);
  }

  /** What became of one imported user. */
  enum ImportResult {
    CREATED,
    EXISTS
  }

  /** What became of a change; nothing is changed unless it is done. */
  enum ChangeResult {
    DONE,
    NO_SUCH_USER,
    /** The user is not in the state that the change is for. */
    OTHER_STATE,
    /** No other admin could log in. */
    LAST_ADMIN
  }
}
