package dev.spillway.auth.users;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Beside;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Users in H2 or PostgreSQL, by SQL that both understand. */
@ApplicationScoped
class SqlUserDirectory implements UserDirectory {
  private static final String FIND = "SELECT " + UserRows.COLUMNS + " FROM users WHERE login = ?";

  private static final String ANY = "SELECT 1 FROM users FETCH FIRST 1 ROWS ONLY";

  private static final String SET_HASH =
      """
      UPDATE users SET password_hash = ?, legacy = FALSE, epoch = epoch + 1,
        updated_at = CURRENT_TIMESTAMP
      WHERE id = ?
      """;

  private static final String REPLACE_HASH =
      """
      UPDATE users SET password_hash = ?, legacy = FALSE, updated_at = CURRENT_TIMESTAMP
      WHERE id = ? AND password_hash = ?
      """;

  private static final String END_EPOCH =
      "UPDATE users SET epoch = epoch + 1, updated_at = CURRENT_TIMESTAMP WHERE id = ?";

  private static final String SET_DISABLED =
      """
      UPDATE users SET disabled = ?, epoch = epoch + ?, updated_at = CURRENT_TIMESTAMP
      WHERE id = ?
      """;

  private static final String SET_GROUPS =
      "UPDATE users SET group_names = ?, updated_at = CURRENT_TIMESTAMP WHERE id = ?";

  private static final String DELETE = "DELETE FROM users WHERE id = ?";

  private final Database database;

  SqlUserDirectory(Database database) {
    this.database = database;
  }

  @Override
  public Optional<UserRecord> find(LoginName login) {
    return database.run(connection -> Sql.first(connection, FIND, UserRows::read, login.text()));
  }

  @Override
  public Optional<UserRecord> find(LoginName login, Beside beside) {
    return database.run(
        connection -> {
          // One row at least, whether there is such a user or not: the other table may have some.
          String sql =
              "SELECT "
                  + UserRows.COLUMNS
                  + beside.columns()
                  + " FROM (VALUES (CAST(? AS VARCHAR(254)))) AS asked (asked_login)"
                  + " LEFT JOIN users ON users.login = asked.asked_login "
                  + beside.join();
          try (PreparedStatement find = connection.prepareStatement(sql)) {
            find.setString(1, login.text());
            beside.bind(find, 2);
            try (ResultSet row = find.executeQuery()) {
              Optional<UserRecord> user = Optional.empty();
              while (row.next()) {
                if (row.getString("login") != null) {
                  user = Optional.of(UserRows.read(row));
                }
                beside.row(row);
              }
              return user;
            }
          }
        });
  }

  @Override
  public Optional<UserRecord> find(long id) {
    return database.run(connection -> UserRows.find(connection, id));
  }

  @Override
  public boolean create(NewUser user, AddedRows<Boolean> extra) {
    return database.inTransaction(
        connection ->
            NewUsers.insertAbsent(connection, List.of(user)).getFirst() == ImportResult.CREATED,
        extra);
  }

  @Override
  public List<ImportResult> importAll(List<NewUser> users, AddedRows<List<ImportResult>> extra) {
    return users.isEmpty()
        ? List.of()
        : database.inTransaction(connection -> NewUsers.insertAbsent(connection, users), extra);
  }

  @Override
  public ChangeResult setPasswordHash(WhichUser which, String hash, AddedRows<Boolean> extra) {
    requireStorable(hash);
    return change(
        which,
        false,
        (user, connection) -> {
          Sql.update(connection, SET_HASH, hash, user.id());
          new HashHeads.Changes().minus(user.passwordHash()).plus(hash).write(connection);
        },
        extra);
  }

  @Override
  public boolean replacePasswordHash(UserRecord seen, String hash) {
    requireStorable(hash);
    return database.inTransaction(
        connection -> {
          if (Sql.update(connection, REPLACE_HASH, hash, seen.id(), seen.passwordHash()) == 0) {
            return false;
          }
          new HashHeads.Changes().minus(seen.passwordHash()).plus(hash).write(connection);
          return true;
        });
  }

  @Override
  public ChangeResult endEpoch(WhichUser which, AddedRows<Boolean> extra) {
    return change(
        which, false, (user, connection) -> Sql.update(connection, END_EPOCH, user.id()), extra);
  }

  @Override
  public ChangeResult setDisabled(WhichUser which, boolean disabled, AddedRows<Boolean> extra) {
    return change(
        which,
        disabled,
        (user, connection) ->
            Sql.update(connection, SET_DISABLED, disabled, disabled ? 1 : 0, user.id()),
        extra);
  }

  @Override
  public ChangeResult setGroups(WhichUser which, Set<String> groups, AddedRows<Boolean> extra) {
    Set<String> valid =
        GroupNames.parse(groups)
            .orElseThrow(() -> new IllegalArgumentException("groups " + GroupNames.RULE));
    return change(
        which,
        !valid.contains(GroupNames.ADMIN),
        (user, connection) -> {
          Sql.update(connection, SET_GROUPS, GroupNames.join(valid), user.id());
          if (valid.contains(GroupNames.ADMIN)) {
            Admins.note(connection, user.login());
          }
        },
        extra);
  }

  @Override
  public ChangeResult delete(WhichUser which, AddedRows<Boolean> extra) {
    return change(
        which,
        true,
        (user, connection) -> {
          Sql.update(connection, DELETE, user.id());
          new HashHeads.Changes().minus(user.passwordHash()).write(connection);
        },
        extra);
  }

  /** Statements that change one user. */
  @FunctionalInterface
  private interface Changing {
    void change(UserRecord user, Connection connection) throws SQLException;
  }

  /**
   * @param takesAdmin whether an admin is none afterwards
   */
  private ChangeResult change(
      WhichUser which, boolean takesAdmin, Changing changing, AddedRows<Boolean> extra) {
    return database.inTransaction(
        connection -> {
          Optional<UserRecord> user = UserRows.lock(connection, which.id());
          if (user.isEmpty()) {
            return ChangeResult.NO_SUCH_USER;
          }
          if (!which.state().test(user.get())) {
            return ChangeResult.OTHER_STATE;
          }
          if (takesAdmin && user.get().isActiveAdmin() && Admins.isLast(connection, which.id())) {
            return ChangeResult.LAST_ADMIN;
          }
          changing.change(user.get(), connection);
          return ChangeResult.DONE;
        },
        extra.after(result -> result == ChangeResult.DONE));
  }

  @Override
  public Map<String, Long> countByHashHead() {
    return database.run(HashHeads::read);
  }

  @Override
  public byte[] decoyKey() {
    return database.inTransaction(HashHeads::key);
  }

  @Override
  public boolean isEmpty() {
    return database.run(connection -> Sql.first(connection, ANY, row -> 1).isEmpty());
  }

  @Override
  public List<UserRecord> list(UserFilter filter, long after, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a page without users");
    }
    StringBuilder sql =
        new StringBuilder("SELECT " + UserRows.COLUMNS + " FROM users WHERE id > ?");
    List<Object> values = new ArrayList<>(List.of(after));
    filter
        .login()
        .ifPresent(
            login -> {
              sql.append(" AND login = ?");
              values.add(login.text());
            });
    filter
        .loginPrefix()
        .ifPresent(
            prefix -> {
              sql.append(" AND login LIKE ? ESCAPE '!'");
              values.add(prefix.replaceAll("[!%_]", "!$0") + "%");
            });
    filter
        .group()
        .ifPresent(
            group -> {
              sql.append(" AND ' ' || group_names || ' ' LIKE ? ESCAPE '!'");
              values.add("% " + group.replaceAll("[!%_]", "!$0") + " %");
            });
    filter
        .disabled()
        .ifPresent(
            disabled -> {
              sql.append(" AND disabled = ?");
              values.add(disabled);
            });
    sql.append(" ORDER BY id FETCH FIRST ? ROWS ONLY");
    values.add(limit);
    return database.run(
        connection -> Sql.list(connection, sql.toString(), UserRows::read, values.toArray()));
  }

  private static void requireStorable(String hash) {
    if (!UserRecord.isStorableHash(hash)) {
      throw new IllegalArgumentException("a hash that cannot be stored");
    }
  }
}
