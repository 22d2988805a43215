package dev.spillway.auth.database;

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

/** One statement on a borrowed connection, with the values of its parameters in their order. */
public final class Sql {
  private Sql() {}

  /** Makes something of the row that a result stands at. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Changes rows; how many they were. */
  public static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement update = prepared(connection, sql, values)) {
      return update.executeUpdate();
    }
  }

  /** The same statement for each array of values, in one round trip. */
  public static int[] batch(Connection connection, String sql, List<Object[]> all)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (Object[] values : all) {
        bind(update, values);
        update.addBatch();
      }
      return update.executeBatch();
    }
  }

  /** What all rows are read as, in their order. */
  public static <T> List<T> list(Connection connection, String sql, Row<T> row, Object... values)
      throws SQLException {
    try (PreparedStatement query = prepared(connection, sql, values);
        ResultSet rows = query.executeQuery()) {
      List<T> list = new ArrayList<>();
      while (rows.next()) {
        list.add(row.read(rows));
      }
      return list;
    }
  }

  /** What the first row is read as; empty if there is none. */
  public static <T> Optional<T> first(
      Connection connection, String sql, Row<T> row, Object... values) throws SQLException {
    return list(connection, sql, row, values).stream().findFirst();
  }

  /** A time of the database; null if there is none in this column. */
  public static Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      bind(statement, values);
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i] instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : values[i];
      statement.setObject(i + 1, value);
    }
  }
}
