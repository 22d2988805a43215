package dev.spillway.auth.admin;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Beside;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserFilter;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A directory that only remembers who was created, in order. */
final class RememberedUsers implements UserDirectory {
  final List<NewUser> created = new ArrayList<>();

  /** Whether somebody else has every login just before us. */
  boolean taken;

  @Override
  public java.util.Map<String, Long> countByHashHead() {
    return java.util.Map.of();
  }

  @Override
  public byte[] decoyKey() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isEmpty() {
    return created.isEmpty();
  }

  @Override
  public boolean create(NewUser user, AddedRows<Boolean> extra) {
    return !taken && created.add(user);
  }

  @Override
  public Optional<UserRecord> find(LoginName login) {
    return created.stream()
        .filter(user -> user.login().equals(login))
        .map(
            user ->
                new UserRecord(
                    1,
                    login,
                    user.passwordHash(),
                    user.legacy(),
                    user.disabled(),
                    user.groups(),
                    0))
        .findFirst();
  }

  @Override
  public Optional<UserRecord> find(LoginName login, Beside beside) {
    return find(login);
  }

  @Override
  public Optional<UserRecord> find(long id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult endEpoch(WhichUser which, AddedRows<Boolean> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ImportResult> importAll(List<NewUser> users, AddedRows<List<ImportResult>> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult setPasswordHash(WhichUser which, String hash, AddedRows<Boolean> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean replacePasswordHash(UserRecord seen, String hash) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult setDisabled(WhichUser which, boolean disabled, AddedRows<Boolean> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult setGroups(WhichUser which, Set<String> groups, AddedRows<Boolean> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult delete(WhichUser which, AddedRows<Boolean> extra) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<UserRecord> list(UserFilter filter, long after, int limit) {
    throw new UnsupportedOperationException();
  }
}
