package dev.spillway.auth.throttle;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The table of tallies, shared by all instances. Its row locks make every count exact. A statement
 * that touches several keys does so in the order of {@link Keys#all}, so that no two wait for each
 * other.
 */
final class Tallies {
  static final String COLUMNS = "tally_key, failures, reserved, window_ends, succeeded_at";

  /**
   * How long after a success an account is at home in a network, where neither the network's limit
   * nor the guard stops it. Who logs in once a month stays at home.
   */
  static final Duration HOME_FOR = Duration.ofDays(30);

  /** Stands for a guess that nothing was reserved for. */
  static final long NO_WINDOW = -1;

  private static final String READ =
      "SELECT " + COLUMNS + " FROM login_tallies WHERE tally_key IN (%s)";

  private static final String INSERT =
      """
      INSERT INTO login_tallies
        (tally_key, failures, reserved, window_ends, succeeded_at, expires_at, account)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String RESERVE =
      """
      UPDATE login_tallies SET
        failures = CASE WHEN window_ends > ? THEN failures ELSE 0 END,
        reserved = CASE WHEN window_ends > ? THEN reserved + 1 ELSE 1 END,
        expires_at = CASE WHEN window_ends > ? THEN expires_at ELSE GREATEST(expires_at, ?) END,
        window_ends = CASE WHEN window_ends > ? THEN window_ends ELSE ? END
      WHERE tally_key = ? AND (window_ends <= ? OR failures + reserved < ?)
      """;

  /** A reservation that pays for the failure is used up, if it was made in this window. */
  private static final String FAIL =
      """
      UPDATE login_tallies SET
        failures = CASE WHEN window_ends > ? THEN failures + 1 ELSE 1 END,
        reserved = CASE WHEN window_ends <= ? THEN 0
          WHEN window_ends = ? THEN GREATEST(reserved - 1, 0) ELSE reserved END,
        expires_at = CASE WHEN window_ends > ? THEN expires_at ELSE GREATEST(expires_at, ?) END,
        window_ends = CASE WHEN window_ends > ? THEN window_ends ELSE ? END,
        account = ?
      WHERE tally_key = ?
      """;

  private static final String SUCCEED =
      """
      UPDATE login_tallies SET
        failures = 0, succeeded_at = ?, expires_at = GREATEST(expires_at, ?)
      WHERE tally_key = ?
      """;

  /** Guesses that are under way stay paid for. */
  private static final String UNLOCK = "UPDATE login_tallies SET failures = 0 WHERE account = ?";

  private static final String GIVE_BACK =
      """
      UPDATE login_tallies SET reserved = GREATEST(reserved - ?, 0)
      WHERE tally_key = ? AND window_ends = ?
      """;

  /**
   * Asks each row twice: PostgreSQL, where it had to wait for a guess that was counted, asks the
   * outer question again of the row as that left it, and the inner one not.
   */
  private static final String SWEEP =
      """
      DELETE FROM login_tallies WHERE expires_at < ? AND tally_key IN (
        SELECT tally_key FROM login_tallies WHERE expires_at < ? FETCH FIRST ? ROWS ONLY)
      """;

  private final Database database;
  private final InstantSource clock;
  private final Duration window;

  Tallies(Database database, InstantSource clock, Duration window) {
    this.database = database;
    this.clock = clock;
    this.window = window;
  }

  /**
   * What came of asking for a reservation.
   *
   * @param tally as it is now
   */
  record Reserved(boolean granted, Tally tally) {}

  /**
   * One more wrong guess.
   *
   * @param account key of the account that it is counted for; null for a network's row
   * @param reservedIn end of the window in which it was reserved, or {@link #NO_WINDOW}
   */
  record Failure(String key, String account, long reservedIn) {}

  /** Without the keys under which nothing is counted. */
  Map<String, Tally> read(List<String> keys) {
    return database.run(connection -> read(connection, keys));
  }

  /** Pays for one guess in advance, unless {@code limit} are paid for or were wrong. */
  Reserved reserve(String key, int limit) {
    return database.inTransaction(
        connection -> {
          long now = clock.millis();
          long ends = now + window.toMillis();
          boolean granted =
              Sql.update(connection, RESERVE, now, now, now, ends, now, ends, key, now, limit) == 1;
          Tally tally = read(connection, List.of(key)).get(key);
          if (tally == null) {
            Sql.update(connection, INSERT, key, 0, 1, ends, 0L, ends, null);
            return new Reserved(true, new Tally(0, 1, ends, 0));
          }
          return new Reserved(granted, tally);
        });
  }

  /** Reservations nobody needs any more. */
  void giveBack(String key, int count, long reservedIn) {
    database.run(connection -> Sql.update(connection, GIVE_BACK, count, key, reservedIn));
  }

  /**
   * Counts one wrong guess under each key.
   *
   * @return the tallies afterwards, exactly
   */
  Map<String, Tally> fail(List<Failure> failures) {
    return database.inTransaction(
        connection -> {
          long now = clock.millis();
          long ends = now + window.toMillis();
          for (Failure one : failures) {
            int rows =
                Sql.update(
                    connection,
                    FAIL,
                    now,
                    now,
                    one.reservedIn(),
                    now,
                    ends,
                    now,
                    ends,
                    one.account(),
                    one.key());
            if (rows == 0) {
              Sql.update(connection, INSERT, one.key(), 1, 0, ends, 0L, ends, one.account());
            }
          }
          return read(connection, failures.stream().map(Failure::key).toList());
        });
  }

  /** Forgives what was wrong and notes the success. */
  void succeed(String key) {
    database.inTransaction(
        connection -> {
          long now = clock.millis();
          long expires = now + HOME_FOR.toMillis();
          int rows = Sql.update(connection, SUCCEED, now, expires, key);
          return rows == 1
              ? rows
              : Sql.update(connection, INSERT, key, 0, 0, 0L, now, expires, null);
        });
  }

  /**
   * Forgives what was wrong on an account, from wherever it came. Rows are locked in no order: who
   * loses against a guess that is counted starts over.
   */
  void unlock(String account, AddedRows<Boolean> extra) {
    database.inTransaction(
        connection -> {
          Sql.update(connection, UNLOCK, account);
          return true;
        },
        extra);
  }

  /**
   * Deletes at most so many rows that have said nothing for a window: another instance's clock may
   * be slow.
   *
   * @return how many it were
   */
  int sweep(int atMost) {
    long oldest = clock.millis() - window.toMillis();
    return database.run(connection -> Sql.update(connection, SWEEP, oldest, oldest, atMost));
  }

  static Tally tally(ResultSet row) throws SQLException {
    return new Tally(
        row.getInt("failures"),
        row.getInt("reserved"),
        row.getLong("window_ends"),
        row.getLong("succeeded_at"));
  }

  private static Map<String, Tally> read(Connection connection, List<String> keys)
      throws SQLException {
    String sql = READ.formatted(String.join(", ", Collections.nCopies(keys.size(), "?")));
    return Sql.list(
            connection,
            sql,
            row -> Map.entry(row.getString("tally_key"), tally(row)),
            keys.toArray())
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
