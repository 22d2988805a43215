package dev.spillway.auth.audit;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The audit log in H2 or PostgreSQL. */
final class AuditTable {
  private static final String INSERT =
      """
      INSERT INTO audit_log
        (occurred_at, action, login, keyed, actor, network, outcome, path, times)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String COLUMNS =
      "SELECT id, occurred_at, action, login, keyed, actor, network, outcome, path, times"
          + " FROM audit_log";

  private static final String LIST =
      COLUMNS + " WHERE id > ? AND occurred_at >= ? ORDER BY id FETCH FIRST ? ROWS ONLY";

  /** Of one account, which may be named in two ways. */
  private static final String LIST_OF =
      COLUMNS
          + " WHERE id > ? AND occurred_at >= ? AND login IN (?, ?)"
          + " ORDER BY id FETCH FIRST ? ROWS ONLY";

  private static final String DELETE =
      """
      DELETE FROM audit_log WHERE id IN (
        SELECT id FROM audit_log WHERE occurred_at < ?
        ORDER BY occurred_at FETCH FIRST ? ROWS ONLY)
      """;

  private final Database database;

  AuditTable(Database database) {
    this.database = database;
  }

  /** All of them or, with an exception, none; unless it was lost only that they were written. */
  void add(List<AuditEntry> entries) {
    database.<Boolean>inTransaction(
        connection -> {
          insert(connection, entries);
          return true;
        });
  }

  /** In the caller's transaction. */
  static void insert(Connection connection, List<AuditEntry> entries) throws SQLException {
    Sql.batch(connection, INSERT, entries.stream().map(AuditTable::values).toList());
  }

  /**
   * @param after id of the last entry known; 0 for none
   * @param names of the account, in clear and keyed; empty for all accounts
   */
  List<AuditEntry> list(long after, Instant since, int limit, Optional<Names> names) {
    return database.run(
        connection ->
            names.isPresent()
                ? Sql.list(
                    connection,
                    LIST_OF,
                    AuditTable::entry,
                    after,
                    since,
                    names.get().clear(),
                    names.get().keyed(),
                    limit)
                : Sql.list(connection, LIST, AuditTable::entry, after, since, limit));
  }

  /** Deletes at most so many entries of before that time; how many they were. */
  int deleteBefore(Instant time, int most) {
    return database.run(connection -> Sql.update(connection, DELETE, time, most));
  }

  /** The two names that an account may have in the table. */
  record Names(String clear, String keyed) {}

  private static Object[] values(AuditEntry entry) {
    return new Object[] {
      Instant.parse(entry.time()),
      entry.action(),
      entry.keyed() ? entry.loginHmac() : entry.login(),
      entry.keyed(),
      entry.by(),
      entry.network(),
      entry.outcome(),
      entry.path(),
      entry.times()
    };
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    String login = row.getString(4);
    boolean keyed = row.getBoolean(5);
    return new AuditEntry(
        row.getLong(1),
        Sql.instant(row, 2).toString(),
        row.getString(3),
        keyed ? null : login,
        keyed ? login : null,
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getInt(10));
  }
}
