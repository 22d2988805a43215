package dev.spillway.auth.users;

import dev.spillway.auth.database.Along;
import dev.spillway.auth.database.Beside;
import dev.spillway.auth.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Users in H2 or PostgreSQL, by SQL that both understand. */
@ApplicationScoped
class SqlUserDirectory implements UserDirectory {
  private static final String COLUMNS =
      "id, login, password_hash, legacy, disabled, group_names, epoch";

  private static final String FIND = "SELECT " + COLUMNS + " FROM users WHERE login = ?";

  private static final String FIND_BY_ID = "SELECT " + COLUMNS + " FROM users WHERE id = ?";

  /** The row is changed next: nobody else changes it in between. */
  private static final String LOCK_BY_ID = FIND_BY_ID + " FOR UPDATE";

  private static final String LIST =
      "SELECT " + COLUMNS + " FROM users WHERE id > ? ORDER BY id FETCH FIRST ? ROWS ONLY";

  private static final String ANY = "SELECT 1 FROM users FETCH FIRST 1 ROWS ONLY";

  /**
   * Leaves an existing row alone without an error, which PostgreSQL would let end the transaction.
   * A row that somebody inserts between the question and the answer is an error still; the
   * transaction then starts over and sees it. The inner query must speak of the outer row: one with
   * a parameter of its own H2 answers from memory for the second of two equal logins.
   */
  private static final String INSERT_IF_ABSENT =
      """
      INSERT INTO users
        (login, password_hash, legacy, disabled, group_names, epoch, created_at, updated_at)
      SELECT login, password_hash, legacy, disabled, group_names, epoch,
        CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
      FROM (VALUES (CAST(? AS VARCHAR(254)), CAST(? AS VARCHAR(255)), CAST(? AS BOOLEAN),
          CAST(? AS BOOLEAN), CAST(? AS VARCHAR(2079)), CAST(? AS BIGINT)))
        AS one (login, password_hash, legacy, disabled, group_names, epoch)
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.login = one.login)
      """;

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

  private static final String INSERT_ADMIN =
      """
      INSERT INTO admins (user_id) SELECT id FROM users
      WHERE login = ? AND NOT EXISTS (SELECT 1 FROM admins WHERE admins.user_id = users.id)
      """;

  /** All of them, in one order: of two admins who take each other away, one comes second. */
  private static final String LOCK_ADMINS =
      "SELECT user_id FROM admins ORDER BY user_id FOR UPDATE";

  private static final String ENABLED_ADMINS =
      "SELECT "
          + COLUMNS
          + " FROM users WHERE id IN (SELECT user_id FROM admins) AND disabled = FALSE";

  /** Fits the number of a JSON document exactly. */
  private static final long MAX_FIRST_EPOCH = 1L << 48;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Database database;

  SqlUserDirectory(Database database) {
    this.database = database;
  }

  @Override
  public Optional<UserRecord> find(LoginName login) {
    return database.run(
        connection -> {
          try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setString(1, login.text());
            return records(find).stream().findFirst();
          }
        });
  }

  @Override
  public Optional<UserRecord> find(LoginName login, Beside beside) {
    return database.run(
        connection -> {
          // One row at least, whether there is such a user or not: the other table may have some.
          String sql =
              "SELECT "
                  + COLUMNS
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
                  user = Optional.of(record(row));
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
    return database.run(connection -> find(FIND_BY_ID, id, connection));
  }

  private static Optional<UserRecord> lock(long id, Connection connection) throws SQLException {
    return find(LOCK_BY_ID, id, connection);
  }

  private static Optional<UserRecord> find(String sql, long id, Connection connection)
      throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(sql)) {
      find.setLong(1, id);
      return records(find).stream().findFirst();
    }
  }

  @Override
  public boolean create(NewUser user, Along<Boolean> along) {
    return database.inTransaction(
        connection -> insertAbsent(List.of(user), connection).getFirst() == ImportResult.CREATED,
        along);
  }

  @Override
  public List<ImportResult> importAll(List<NewUser> users, Along<List<ImportResult>> along) {
    return users.isEmpty()
        ? List.of()
        : database.inTransaction(connection -> insertAbsent(users, connection), along);
  }

  /**
   * Inserts in the order of logins, whatever the order of the list: two imports that insert the
   * same users in opposite orders would each wait for the other.
   */
  private static List<ImportResult> insertAbsent(List<NewUser> users, Connection connection)
      throws SQLException {
    int[] order =
        IntStream.range(0, users.size())
            .boxed()
            .sorted(Comparator.comparing(i -> users.get(i).login().text()))
            .mapToInt(Integer::intValue)
            .toArray();
    try (PreparedStatement insert = connection.prepareStatement(INSERT_IF_ABSENT)) {
      for (int index : order) {
        bind(users.get(index), insert);
        insert.addBatch();
      }
      int[] rows = insert.executeBatch();
      ImportResult[] results = new ImportResult[order.length];
      HashHeads.Changes heads = new HashHeads.Changes();
      for (int i = 0; i < order.length; i++) {
        results[order[i]] = rows[i] == 0 ? ImportResult.EXISTS : ImportResult.CREATED;
        if (rows[i] != 0) {
          NewUser user = users.get(order[i]);
          heads.plus(user.passwordHash());
          if (user.groups().contains(GroupNames.ADMIN)) {
            noteAdmin(user.login(), connection);
          }
        }
      }
      heads.write(connection);
      return List.of(results);
    }
  }

  private static void noteAdmin(LoginName login, Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT_ADMIN)) {
      insert.setString(1, login.text());
      insert.executeUpdate();
    }
  }

  @Override
  public boolean setPasswordHash(long id, String hash, Along<Boolean> along) {
    requireStorable(hash);
    return database.inTransaction(
        connection -> {
          Optional<UserRecord> before = lock(id, connection);
          if (before.isEmpty()) {
            return false;
          }
          try (PreparedStatement update = connection.prepareStatement(SET_HASH)) {
            update.setString(1, hash);
            update.setLong(2, id);
            update.executeUpdate();
          }
          new HashHeads.Changes().minus(before.get().passwordHash()).plus(hash).write(connection);
          return true;
        },
        along);
  }

  @Override
  public boolean replacePasswordHash(UserRecord seen, String hash) {
    requireStorable(hash);
    return database.inTransaction(
        connection -> {
          try (PreparedStatement update = connection.prepareStatement(REPLACE_HASH)) {
            update.setString(1, hash);
            update.setLong(2, seen.id());
            update.setString(3, seen.passwordHash());
            if (update.executeUpdate() == 0) {
              return false;
            }
          }
          new HashHeads.Changes().minus(seen.passwordHash()).plus(hash).write(connection);
          return true;
        });
  }

  @Override
  public boolean endEpoch(long id, Along<Boolean> along) {
    return database.inTransaction(
        connection -> {
          try (PreparedStatement update = connection.prepareStatement(END_EPOCH)) {
            update.setLong(1, id);
            return update.executeUpdate() == 1;
          }
        },
        along);
  }

  @Override
  public ChangeResult setDisabled(long id, boolean disabled, Along<Boolean> along) {
    return change(
        id,
        disabled,
        (user, connection) -> {
          try (PreparedStatement update = connection.prepareStatement(SET_DISABLED)) {
            update.setBoolean(1, disabled);
            update.setInt(2, disabled ? 1 : 0);
            update.setLong(3, id);
            update.executeUpdate();
          }
        },
        along);
  }

  @Override
  public ChangeResult setGroups(long id, Set<String> groups, Along<Boolean> along) {
    Set<String> valid =
        GroupNames.parse(groups)
            .orElseThrow(() -> new IllegalArgumentException("groups " + GroupNames.RULE));
    return change(
        id,
        !valid.contains(GroupNames.ADMIN),
        (user, connection) -> {
          try (PreparedStatement update = connection.prepareStatement(SET_GROUPS)) {
            update.setString(1, GroupNames.join(valid));
            update.setLong(2, id);
            update.executeUpdate();
          }
          if (valid.contains(GroupNames.ADMIN)) {
            noteAdmin(user.login(), connection);
          }
        },
        along);
  }

  @Override
  public ChangeResult delete(long id, Along<Boolean> along) {
    return change(
        id,
        true,
        (user, connection) -> {
          try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            delete.setLong(1, id);
            delete.executeUpdate();
          }
          new HashHeads.Changes().minus(user.passwordHash()).write(connection);
        },
        along);
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
      long id, boolean takesAdmin, Changing changing, Along<Boolean> along) {
    return database.inTransaction(
        connection -> {
          Optional<UserRecord> user = lock(id, connection);
          if (user.isEmpty()) {
            return ChangeResult.NO_SUCH_USER;
          }
          if (takesAdmin && user.get().isActiveAdmin() && isLastAdmin(id, connection)) {
            return ChangeResult.LAST_ADMIN;
          }
          changing.change(user.get(), connection);
          return ChangeResult.DONE;
        },
        along.after(result -> result == ChangeResult.DONE));
  }

  private static boolean isLastAdmin(long id, Connection connection) throws SQLException {
    try (Statement lock = connection.createStatement();
        ResultSet rows = lock.executeQuery(LOCK_ADMINS)) {
      while (rows.next()) {
        // Locked with being read.
      }
    }
    try (PreparedStatement admins = connection.prepareStatement(ENABLED_ADMINS)) {
      return records(admins).stream().noneMatch(user -> user.isActiveAdmin() && user.id() != id);
    }
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
    return database.run(
        connection -> {
          try (Statement any = connection.createStatement();
              ResultSet row = any.executeQuery(ANY)) {
            return !row.next();
          }
        });
  }

  @Override
  public List<UserRecord> list(long after, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a page without users");
    }
    return database.run(
        connection -> {
          try (PreparedStatement list = connection.prepareStatement(LIST)) {
            list.setLong(1, after);
            list.setInt(2, limit);
            return records(list);
          }
        });
  }

  private static void requireStorable(String hash) {
    if (!UserRecord.isStorableHash(hash)) {
      throw new IllegalArgumentException("a hash that cannot be stored");
    }
  }

  private static void bind(NewUser user, PreparedStatement insert) throws SQLException {
    insert.setString(1, user.login().text());
    insert.setString(2, user.passwordHash());
    insert.setBoolean(3, user.legacy());
    insert.setBoolean(4, user.disabled());
    insert.setString(5, GroupNames.join(user.groups()));
    insert.setLong(6, RANDOM.nextLong(MAX_FIRST_EPOCH));
  }

  private static List<UserRecord> records(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      List<UserRecord> records = new ArrayList<>();
      while (row.next()) {
        records.add(record(row));
      }
      return List.copyOf(records);
    }
  }

  private static UserRecord record(ResultSet row) throws SQLException {
    return new UserRecord(
        row.getLong("id"),
        LoginName.shown(row.getString("login")),
        row.getString("password_hash"),
        row.getBoolean("legacy"),
        row.getBoolean("disabled"),
        GroupNames.split(row.getString("group_names")),
        row.getLong("epoch"));
  }
}
