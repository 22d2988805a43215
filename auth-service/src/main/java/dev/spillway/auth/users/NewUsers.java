package dev.spillway.auth.users;

import dev.spillway.auth.database.Sql;
import dev.spillway.auth.users.UserDirectory.ImportResult;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** How users that were not there are inserted. */
final class NewUsers {
  /**
   * Leaves an existing row alone without an error, which PostgreSQL would let end the transaction.
   * A row that somebody inserts between the question and the answer is an error still; the
   * transaction then starts over and sees it. The inner query must speak of the outer row: one with
   * a parameter of its own H2 answers from memory for the second of two equal logins.
   */
  private static final String INSERT_IF_ABSENT =
      """
      INSERT INTO users
        (login, password_hash, legacy, disabled, group_names, epoch, created_at, updated_at)
      SELECT login, password_hash, legacy, disabled, group_names, epoch,
        CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
      FROM (VALUES (CAST(? AS VARCHAR(254)), CAST(? AS VARCHAR(255)), CAST(? AS BOOLEAN),
          CAST(? AS BOOLEAN), CAST(? AS VARCHAR(2079)), CAST(? AS BIGINT)))
        AS one (login, password_hash, legacy, disabled, group_names, epoch)
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.login = one.login)
      """;

  /** Fits the number of a JSON document exactly. */
  private static final long MAX_FIRST_EPOCH = 1L << 48;

  private static final SecureRandom RANDOM = new SecureRandom();

  private NewUsers() {}

  /**
   * Inserts in the order of logins, whatever the order of the list: two imports that insert the
   * same users in opposite orders would each wait for the other.
   */
  static List<ImportResult> insertAbsent(Connection connection, List<NewUser> users)
      throws SQLException {
    int[] order =
        IntStream.range(0, users.size())
            .boxed()
            .sorted(Comparator.comparing(i -> users.get(i).login().text()))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Object[]> values =
        IntStream.of(order).mapToObj(index -> values(users.get(index))).toList();
    int[] rows = Sql.batch(connection, INSERT_IF_ABSENT, values);
    ImportResult[] results = new ImportResult[order.length];
    HashHeads.Changes heads = new HashHeads.Changes();
    for (int i = 0; i < order.length; i++) {
      results[order[i]] = rows[i] == 0 ? ImportResult.EXISTS : ImportResult.CREATED;
      if (rows[i] != 0) {
        NewUser user = users.get(order[i]);
        heads.plus(user.passwordHash());
        if (user.groups().contains(GroupNames.ADMIN)) {
          Admins.note(connection, user.login());
        }
      }
    }
    heads.write(connection);
    return List.of(results);
  }

  private static Object[] values(NewUser user) {
    return new Object[] {
      user.login().text(),
      user.passwordHash(),
      user.legacy(),
      user.disabled(),
      GroupNames.join(user.groups()),
      RANDOM.nextLong(MAX_FIRST_EPOCH)
    };
  }
}
