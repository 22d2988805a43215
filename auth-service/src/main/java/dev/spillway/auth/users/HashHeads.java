package dev.spillway.auth.users;

import dev.spillway.auth.database.Sql;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How many users have a hash of each kind, counted in the transactions that change hashes, and the
 * key that goes with it.
 */
final class HashHeads {
  /**
   * bcrypt's seven characters, or algorithm and parameters of the PHC string format. Few, whatever
   * is imported: all others count as one.
   */
  private static final Pattern KNOWN =
      Pattern.compile(
          "(\\$2.\\$..\\$|\\$(?:argon2(?:id|i|d)|scrypt|pbkdf2-sha[0-9]{1,3})\\$(?:v=[0-9]{2}\\$)?"
              + "[a-z0-9=,]{1,50}\\$).*",
          Pattern.DOTALL);

  private static final String ADD = "UPDATE hash_heads SET users = users + ? WHERE head = ?";
  private static final String INSERT = "INSERT INTO hash_heads (head, users) VALUES (?, ?)";
  private static final String READ = "SELECT head, users FROM hash_heads WHERE users > 0";
  private static final String KEY = "SELECT secret FROM decoy_key";
  private static final String INSERT_KEY = "INSERT INTO decoy_key (only_row, secret) VALUES (1, ?)";
  private static final int KEY_BYTES = 32;

  private HashHeads() {}

  /** Changes of the counts, by head; in the order of heads, so that no two wait for each other. */
  static final class Changes {
    private final Map<String, Integer> byHead = new TreeMap<>();

    Changes plus(String hash) {
      byHead.merge(head(hash), 1, Integer::sum);
      return this;
    }

    Changes minus(String hash) {
      byHead.merge(head(hash), -1, Integer::sum);
      return this;
    }

    /** To be the last of a transaction: its rows are everybody's. */
    void write(Connection connection) throws SQLException {
      for (Map.Entry<String, Integer> change : byHead.entrySet()) {
        if (change.getValue() != 0) {
          add(connection, change.getKey(), change.getValue());
        }
      }
    }
  }

  private static void add(Connection connection, String head, int change) throws SQLException {
    if (Sql.update(connection, ADD, (long) change, head) == 0) {
      Sql.update(connection, INSERT, head, (long) change);
    }
  }

  static Map<String, Long> read(Connection connection) throws SQLException {
    return Sql.list(connection, READ, row -> Map.entry(row.getString(1), row.getLong(2))).stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Ours, or that of an instance that was a moment faster. */
  static byte[] key(Connection connection) throws SQLException {
    Optional<String> stored = Sql.first(connection, KEY, row -> row.getString(1));
    if (stored.isPresent()) {
      return Base64.getDecoder().decode(stored.get());
    }
    byte[] made = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(made);
    Sql.update(connection, INSERT_KEY, Base64.getEncoder().encodeToString(made));
    return made;
  }

  private static String head(String hash) {
    Matcher known = KNOWN.matcher(hash);
    return known.matches() ? known.group(1) : "";
  }
}
