package dev.spillway.auth.users;

import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** How a user is read from its row. */
final class UserRows {
  static final String COLUMNS = "id, login, password_hash, legacy, disabled, group_names, epoch";

  private static final String FIND = "SELECT " + COLUMNS + " FROM users WHERE id = ?";

  private UserRows() {}

  static UserRecord read(ResultSet row) throws SQLException {
    return new UserRecord(
        row.getLong("id"),
        LoginName.shown(row.getString("login")),
        row.getString("password_hash"),
        row.getBoolean("legacy"),
        row.getBoolean("disabled"),
        GroupNames.split(row.getString("group_names")),
        row.getLong("epoch"));
  }

  static Optional<UserRecord> find(Connection connection, long id) throws SQLException {
    return Sql.first(connection, FIND, UserRows::read, id);
  }

  /** The row is changed next: nobody else changes it in between. */
  static Optional<UserRecord> lock(Connection connection, long id) throws SQLException {
    return Sql.first(connection, FIND + " FOR UPDATE", UserRows::read, id);
  }
}
