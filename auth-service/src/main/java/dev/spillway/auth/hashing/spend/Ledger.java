package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;

/** The table of what was spent, a row for each hour, and the switch. Shared by all instances. */
final class Ledger {
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final long HOURS_OF_A_DAY = 24;

  private static final String ADD =
      "UPDATE spill_spend SET spent_nanos = spent_nanos + ?, calls = calls + ? WHERE utc_hour = ?";

  private static final String FIRST =
      "INSERT INTO spill_spend (utc_hour, spent_nanos, calls) VALUES (?, ?, ?)";

  private static final String READ =
      """
      SELECT
        (SELECT COALESCE(SUM(spent_nanos), 0) FROM spill_spend WHERE utc_hour = ?),
        (SELECT COALESCE(SUM(spent_nanos), 0) FROM spill_spend WHERE utc_hour >= ? AND utc_hour <= ?),
        (SELECT MAX(stopped) FROM spill_switch)
      """;

  private static final String SWITCH = "UPDATE spill_switch SET stopped = ?, changed_at = ?";

  private final Database database;
  private final InstantSource clock;

  Ledger(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Writes down what this instance has spent since it last did, and reads what all have. */
  Books add(long nanos, long calls) {
    long hour = clock.millis() / HOUR_MILLIS;
    // The time of a call may become known after its number.
    if (nanos == 0 && calls == 0) {
      return database.run(connection -> read(connection, hour));
    }
    return database.inTransaction(
        connection -> {
          if (update(connection, ADD, nanos, calls, hour) == 0) {
            update(connection, FIRST, hour, nanos, calls);
          }
          return read(connection, hour);
        });
  }

  /** Lets nothing spill any more, in any instance, or again. */
  void open(boolean open, AddedRows<Boolean> extra) {
    database.inTransaction(
        connection -> update(connection, SWITCH, open ? 0L : 1L, clock.millis()) > 0, extra);
  }

  private static Books read(Connection connection, long hour) throws SQLException {
    long midnight = hour - Math.floorMod(hour, HOURS_OF_A_DAY);
    try (PreparedStatement read = connection.prepareStatement(READ)) {
      read.setLong(1, hour);
      read.setLong(2, midnight);
      read.setLong(3, hour);
      try (ResultSet row = read.executeQuery()) {
        row.next();
        return new Books(hour, row.getLong(1), row.getLong(2), row.getInt(3) == 0);
      }
    }
  }

  private static int update(Connection connection, String sql, long... values) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setLong(i + 1, values[i]);
      }
      return update.executeUpdate();
    }
  }
}
