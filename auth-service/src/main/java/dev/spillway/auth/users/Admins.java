package dev.spillway.auth.users;

import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Who is or was an admin: few rows, to be locked all together. The last admin cannot be lost. */
final class Admins {
  private static final String INSERT =
      """
      INSERT INTO admins (user_id) SELECT id FROM users
      WHERE login = ? AND NOT EXISTS (SELECT 1 FROM admins WHERE admins.user_id = users.id)
      """;

  /** All of them, in one order: of two admins who take each other away, one comes second. */
  private static final String LOCK = "SELECT user_id FROM admins ORDER BY user_id FOR UPDATE";

  private static final String ENABLED =
      "SELECT "
          + UserRows.COLUMNS
          + " FROM users WHERE id IN (SELECT user_id FROM admins) AND disabled = FALSE";

  private Admins() {}

  static void note(Connection connection, LoginName login) throws SQLException {
    Sql.update(connection, INSERT, login.text());
  }

  /** Whether no other admin could log in. */
  static boolean isLast(Connection connection, long id) throws SQLException {
    Sql.list(connection, LOCK, row -> row.getLong(1));
    return Sql.list(connection, ENABLED, UserRows::read).stream()
        .noneMatch(user -> user.isActiveAdmin() && user.id() != id);
  }
}
