package dev.spillway.auth.database;

import java.sql.SQLException;
import java.util.Map;

/**
 * Meaning of an SQLSTATE (ISO 9075) for both databases: PostgreSQL's appendix A and H2's ErrorCode.
 * A code that is not in the tables is a bug.
 */
public enum SqlFailure {
  /** A row with this key is there already. */
  DUPLICATE,
  /** The transaction lost against another one and may be tried again as it is. */
  CONFLICT,
  /** The database, or the way to it, is not fit to serve. */
  UNAVAILABLE,
  /** The same, and other connections to it will not do better: it is no longer the one to ask. */
  STALE,
  /** A statement that should not have been sent: our bug. */
  BUG;

  private static final Map<String, SqlFailure> STATES =
      Map.ofEntries(
          Map.entry("23505", DUPLICATE),
          // Read-only: a standby, or a primary that was demoted.
          Map.entry("25006", STALE),
          // Timeouts of a transaction.
          Map.entry("25P03", UNAVAILABLE),
          Map.entry("25P04", UNAVAILABLE),
          // A prepared statement is another session's: a pooler in transaction mode.
          Map.entry("26000", STALE),
          Map.entry("42P05", STALE),
          // Whether the statement is done is not known.
          Map.entry("40003", UNAVAILABLE),
          // A lock that cannot be had in time or is held against us.
          Map.entry("55006", UNAVAILABLE),
          Map.entry("55P03", UNAVAILABLE),
          // Shut down by its operator, crashed, starting up; the database is dropped; idle for
          // long.
          Map.entry("57P01", STALE),
          Map.entry("57P02", STALE),
          Map.entry("57P03", STALE),
          Map.entry("57P04", STALE),
          Map.entry("57P05", STALE),
          // A snapshot that is too old.
          Map.entry("72000", CONFLICT),
          // H2: lock timeout.
          Map.entry("HYT00", UNAVAILABLE),
          // H2: closed, opened by another process, file not to be renamed, deleted or made.
          Map.entry("90007", UNAVAILABLE),
          Map.entry("90020", UNAVAILABLE),
          Map.entry("90024", UNAVAILABLE),
          Map.entry("90025", UNAVAILABLE),
          Map.entry("90062", UNAVAILABLE),
          // H2: full or broken file.
          Map.entry("90028", UNAVAILABLE),
          Map.entry("90030", UNAVAILABLE),
          Map.entry("90031", UNAVAILABLE),
          // H2: connection broken, read-only, closed, out of memory, shutting down.
          Map.entry("90067", UNAVAILABLE),
          Map.entry("90097", UNAVAILABLE),
          Map.entry("90098", UNAVAILABLE),
          Map.entry("90108", UNAVAILABLE),
          Map.entry("90121", UNAVAILABLE),
          // H2: a row that another transaction changed, exclusive mode.
          Map.entry("90131", CONFLICT),
          Map.entry("90135", UNAVAILABLE));

  /** By the first two characters, where the state as a whole is in no table. */
  private static final Map<String, SqlFailure> CLASSES =
      Map.of(
          // Connection, transaction rollback, resources, cancelled by its operator or a timeout.
          "08", UNAVAILABLE,
          "40", CONFLICT,
          "53", UNAVAILABLE,
          "57", UNAVAILABLE,
          // I/O, the server's configuration, the server's own bugs and broken files.
          "58", UNAVAILABLE,
          "F0", UNAVAILABLE,
          "XX", UNAVAILABLE);

  public static SqlFailure of(SQLException e) {
    String state = e.getSQLState();
    if (state == null || state.length() < 2) {
      return BUG;
    }
    SqlFailure whole = STATES.get(state);
    return whole != null ? whole : CLASSES.getOrDefault(state.substring(0, 2), BUG);
  }
}
