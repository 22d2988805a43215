package dev.spillway.auth.audit;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
   * Entries by ascending id.
   *
   * @param names of an account, in clear and keyed
   * @param after id of the last entry known; 0 for none
   */
  List<AuditEntry> list(AuditFilter filter, Function<String, Names> names, long after, int limit) {
    StringBuilder sql = new StringBuilder(COLUMNS).append(" WHERE id > ? AND occurred_at >= ?");
    List<Object> values = new ArrayList<>(List.of(after, filter.since()));
    filter
        .until()
        .ifPresent(
            until -> {
              sql.append(" AND occurred_at < ?");
              values.add(until);
            });
    // An account may be named in two ways.
    filter
        .login()
        .map(names)
        .ifPresent(
            of -> {
              sql.append(" AND login IN (?, ?)");
              values.addAll(List.of(of.clear(), of.keyed()));
            });
    filter
        .outcome()
        .ifPresent(
            outcome -> {
              sql.append(" AND outcome = ?");
              values.add(outcome);
            });
    filter
        .network()
        .ifPresent(
            network -> {
              sql.append(" AND network = ?");
              values.add(network);
            });
    sql.append(" ORDER BY id FETCH FIRST ? ROWS ONLY");
    values.add(limit);
    return database.run(
        connection -> Sql.list(connection, sql.toString(), AuditTable::entry, values.toArray()));
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
