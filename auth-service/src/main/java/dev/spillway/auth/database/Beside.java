package dev.spillway.auth.database;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Rows of another table, read in the query of a look-up. That saves a round trip, and each table is
 * known to its own package only.
 */
public interface Beside {
  /** Columns to select, each after a comma; empty for none. */
  String columns();

  /** A LEFT JOIN that may match several rows; empty for none. */
  String join();

  /** Binds the join's parameters, the first of them at {@code from}. */
  void bind(PreparedStatement query, int from) throws SQLException;

  /** Reads what a row has of this table: nulls if it has nothing. */
  void row(ResultSet row) throws SQLException;
}
