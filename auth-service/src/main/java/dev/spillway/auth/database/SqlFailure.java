package dev.spillway.auth.database;

import java.sql.SQLException;

/** What an SQLState (ISO 9075) tells us, in the words of both databases. */
public enum SqlFailure {
  /** A row with this key is there already. */
  DUPLICATE,
  /** The transaction lost against another one and may be tried again as it is. */
  CONFLICT,
  /** The database, or the way to it, is not fit to serve. */
  UNAVAILABLE,
  /** A statement that should not have been sent: our bug. */
  BUG;

  public static SqlFailure of(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "23505" -> DUPLICATE;
      case "40001", "40P01" -> CONFLICT;
      // PostgreSQL: shut down by its operator, crashed, starting up. H2: lock timeout, closed,
      // connection broken, full or broken file.
      case "57P01",
          "57P02",
          "57P03",
          "HYT00",
          "90007",
          "90028",
          "90030",
          "90031",
          "90067",
          "90098",
          "90121" ->
          UNAVAILABLE;
      default -> state.startsWith("08") || state.startsWith("53") ? UNAVAILABLE : BUG;
    };
  }
}
