package dev.spillway.auth.audit;

import dev.spillway.auth.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
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
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (AuditEntry entry : entries) {
        bind(insert, entry);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /**
   * @param after id of the last entry known; 0 for none
   * @param names of the account, in clear and keyed; empty for all accounts
   */
  List<AuditEntry> list(long after, Instant since, int limit, Optional<Names> names) {
    return database.run(
        connection -> {
          try (PreparedStatement list =
              connection.prepareStatement(names.isPresent() ? LIST_OF : LIST)) {
            int at = 1;
            list.setLong(at++, after);
            list.setObject(at++, since.atOffset(ZoneOffset.UTC));
            if (names.isPresent()) {
              list.setString(at++, names.get().clear());
              list.setString(at++, names.get().keyed());
            }
            list.setInt(at, limit);
            try (ResultSet rows = list.executeQuery()) {
              List<AuditEntry> entries = new ArrayList<>();
              while (rows.next()) {
                entries.add(entry(rows));
              }
              return entries;
            }
          }
        });
  }

  /** Deletes at most so many entries of before that time; how many they were. */
  int deleteBefore(Instant time, int most) {
    return database.run(
        connection -> {
          try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            delete.setObject(1, time.atOffset(ZoneOffset.UTC));
            delete.setInt(2, most);
            return delete.executeUpdate();
          }
        });
  }

  /** The two names that an account may have in the table. */
  record Names(String clear, String keyed) {}

  private static void bind(PreparedStatement insert, AuditEntry entry) throws SQLException {
    insert.setObject(1, Instant.parse(entry.time()).atOffset(ZoneOffset.UTC));
    insert.setString(2, entry.action());
    insert.setString(3, entry.keyed() ? entry.loginHmac() : entry.login());
    insert.setBoolean(4, entry.keyed());
    insert.setString(5, entry.by());
    insert.setString(6, entry.network());
    insert.setString(7, entry.outcome());
    insert.setString(8, entry.path());
    insert.setInt(9, entry.times());
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    String login = row.getString(4);
    boolean keyed = row.getBoolean(5);
    return new AuditEntry(
        row.getLong(1),
        row.getObject(2, OffsetDateTime.class).toInstant().toString(),
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
