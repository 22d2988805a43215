package dev.spillway.auth.sessions;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.users.UserRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions in H2 or PostgreSQL, one row each. All times are the database's.
 *
 * <ul>
 *   <li>S1: at any time one secret of a session is valid. Its use returns its successor.
 *   <li>S2: a secret used again within the grace returns the valid one, by the same derivation. Two
 *       holders of a secret end up with the same one, so the next use by both reveals a thief.
 *   <li>S3: any other secret of the session ends it.
 * </ul>
 */
final class SessionTable {
  private static final String INSERT =
      """
      INSERT INTO sessions
        (id, user_id, user_epoch, secret_hash, started_at, ends_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String NOW = "VALUES (CURRENT_TIMESTAMP)";

  /** Locked: two that show the same secret take turns. */
  private static final String FIND =
      """
      SELECT user_id, user_epoch, secret_hash, ends_at, expires_at, CURRENT_TIMESTAMP
      FROM sessions WHERE id = ? FOR UPDATE
      """;

  private static final String SET_SECRET =
      "UPDATE sessions SET secret_hash = ?, expires_at = ? WHERE id = ?";

  private static final String FORGET =
      "DELETE FROM spent_secrets WHERE session_id = ? AND spent_at < ?";

  private static final String REMEMBER =
      "INSERT INTO spent_secrets (session_id, secret_hash, salt, spent_at) VALUES (?, ?, ?, ?)";

  private static final String SPENT =
      "SELECT secret_hash, salt FROM spent_secrets WHERE session_id = ? AND spent_at >= ?";

  private static final String DELETE = "DELETE FROM sessions WHERE id = ?";

  /**
   * Checks each row twice: after waiting for a refresh, PostgreSQL evaluates the outer condition
   * again on the changed row, and the inner one not.
   */
  private static final String DELETE_EXPIRED =
      """
      DELETE FROM sessions WHERE expires_at <= CURRENT_TIMESTAMP AND id IN (
        SELECT id FROM sessions WHERE expires_at <= CURRENT_TIMESTAMP
        ORDER BY expires_at FETCH FIRST ? ROWS ONLY)
      """;

  private final Database database;
  private final Duration idle;
  private final Duration longest;
  private final Duration grace;

  SessionTable(Database database, Duration idle, Duration longest, Duration grace) {
    this.database = database;
    this.idle = idle;
    this.longest = longest;
    this.grace = grace;
  }

  /** Begins a session of a user as it was found before its password was verified. */
  void insert(RefreshSecret first, UserRecord user) {
    database.<Boolean>inTransaction(
        connection -> {
          Instant now = now(connection);
          try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, first.sessionId());
            insert.setLong(2, user.id());
            insert.setLong(3, user.epoch());
            insert.setString(4, first.hash());
            insert.setObject(5, at(now));
            insert.setObject(6, at(now.plus(longest)));
            insert.setObject(7, at(earlier(now.plus(idle), now.plus(longest))));
            return insert.executeUpdate() == 1;
          }
        });
  }

  /** Takes a secret in exchange for its successor. */
  Turn take(RefreshSecret shown) {
    return database.inTransaction(
        connection -> {
          Optional<Row> found = find(connection, shown.sessionId());
          if (found.isEmpty()) {
            return new Turn.Unknown();
          }
          Row row = found.get();
          if (!row.now().isBefore(row.expiresAt())) {
            delete(connection, shown.sessionId());
            return new Turn.Expired();
          }
          if (shown.hashesTo(row.secretHash())) {
            return new Turn.Taken(row.userId(), row.epoch(), spend(connection, shown, row), false);
          }
          Optional<RefreshSecret> current = follow(connection, shown, row);
          if (current.isPresent()) {
            return new Turn.Taken(row.userId(), row.epoch(), current.get(), true);
          }
          delete(connection, shown.sessionId());
          return new Turn.Reused(row.userId());
        });
  }

  /** Ends a session; its user's id, or empty if there was none. */
  Optional<Long> delete(RefreshSecret shown) {
    return database.inTransaction(
        connection -> {
          Optional<Row> found = find(connection, shown.sessionId());
          if (found.isPresent()) {
            delete(connection, shown.sessionId());
          }
          return found.map(Row::userId);
        });
  }

  /** Deletes at most so many sessions that have run out; how many they were. */
  int deleteExpired(int most) {
    return database.run(
        connection -> {
          try (PreparedStatement delete = connection.prepareStatement(DELETE_EXPIRED)) {
            delete.setInt(1, most);
            return delete.executeUpdate();
          }
        });
  }

  private record Row(
      long userId, long epoch, String secretHash, Instant endsAt, Instant expiresAt, Instant now) {}

  private static Optional<Row> find(Connection connection, String id) throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, id);
      try (ResultSet row = find.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Row(
                    row.getLong(1),
                    row.getLong(2),
                    row.getString(3),
                    instant(row, 4),
                    instant(row, 5),
                    instant(row, 6)))
            : Optional.empty();
      }
    }
  }

  /** S1. */
  private RefreshSecret spend(Connection connection, RefreshSecret shown, Row row)
      throws SQLException {
    String salt = RefreshSecret.salt();
    RefreshSecret next = shown.successor(salt);
    try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
      forget.setString(1, shown.sessionId());
      forget.setObject(2, at(row.now().minus(grace)));
      forget.executeUpdate();
    }
    try (PreparedStatement remember = connection.prepareStatement(REMEMBER)) {
      remember.setString(1, shown.sessionId());
      remember.setString(2, shown.hash());
      remember.setString(3, salt);
      remember.setObject(4, at(row.now()));
      remember.executeUpdate();
    }
    try (PreparedStatement set = connection.prepareStatement(SET_SECRET)) {
      set.setString(1, next.hash());
      set.setObject(2, at(earlier(row.now().plus(idle), row.endsAt())));
      set.setString(3, shown.sessionId());
      set.executeUpdate();
    }
    return next;
  }

  /**
   * The valid secret that follows the one shown (S2), through those spent since; empty if the one
   * shown was not spent within the grace.
   */
  private Optional<RefreshSecret> follow(Connection connection, RefreshSecret shown, Row row)
      throws SQLException {
    Map<String, String> saltByHash = new HashMap<>();
    try (PreparedStatement spent = connection.prepareStatement(SPENT)) {
      spent.setString(1, shown.sessionId());
      spent.setObject(2, at(row.now().minus(grace)));
      try (ResultSet rows = spent.executeQuery()) {
        while (rows.next()) {
          saltByHash.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    RefreshSecret at = shown;
    for (String salt = saltByHash.remove(at.hash());
        salt != null;
        salt = saltByHash.remove(at.hash())) {
      at = at.successor(salt);
      if (at.hashesTo(row.secretHash())) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private static void delete(Connection connection, String id) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setString(1, id);
      delete.executeUpdate();
    }
  }

  private static Instant now(Connection connection) throws SQLException {
    try (PreparedStatement ask = connection.prepareStatement(NOW);
        ResultSet row = ask.executeQuery()) {
      row.next();
      return instant(row, 1);
    }
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
