package dev.spillway.auth.sessions;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import dev.spillway.auth.users.UserRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
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
          Instant ends = now.plus(longest);
          int rows =
              Sql.update(
                  connection,
                  INSERT,
                  first.sessionId(),
                  user.id(),
                  user.epoch(),
                  first.hash(),
                  now,
                  ends,
                  earlier(now.plus(idle), ends));
          return rows == 1;
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
    return database.run(connection -> Sql.update(connection, DELETE_EXPIRED, most));
  }

  private record Row(
      long userId, long epoch, String secretHash, Instant endsAt, Instant expiresAt, Instant now) {}

  private static Optional<Row> find(Connection connection, String id) throws SQLException {
    return Sql.first(
        connection,
        FIND,
        row ->
            new Row(
                row.getLong(1),
                row.getLong(2),
                row.getString(3),
                Sql.instant(row, 4),
                Sql.instant(row, 5),
                Sql.instant(row, 6)),
        id);
  }

  /** S1. */
  private RefreshSecret spend(Connection connection, RefreshSecret shown, Row row)
      throws SQLException {
    String salt = RefreshSecret.salt();
    RefreshSecret next = shown.successor(salt);
    String id = shown.sessionId();
    Sql.update(connection, FORGET, id, row.now().minus(grace));
    Sql.update(connection, REMEMBER, id, shown.hash(), salt, row.now());
    Instant expires = earlier(row.now().plus(idle), row.endsAt());
    Sql.update(connection, SET_SECRET, next.hash(), expires, id);
    return next;
  }

  /**
   * The valid secret that follows the one shown (S2), through those spent since; empty if the one
   * shown was not spent within the grace.
   */
  private Optional<RefreshSecret> follow(Connection connection, RefreshSecret shown, Row row)
      throws SQLException {
    Map<String, String> saltByHash = new HashMap<>();
    Sql.list(
            connection,
            SPENT,
            spent -> Map.entry(spent.getString(1), spent.getString(2)),
            shown.sessionId(),
            row.now().minus(grace))
        .forEach(spent -> saltByHash.put(spent.getKey(), spent.getValue()));
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
    Sql.update(connection, DELETE, id);
  }

  private static Instant now(Connection connection) throws SQLException {
    return Sql.first(connection, NOW, row -> Sql.instant(row, 1)).orElseThrow();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
