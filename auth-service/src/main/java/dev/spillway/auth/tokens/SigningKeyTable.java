package dev.spillway.auth.tokens;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.SqlFailure;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The key that all instances on one database share; made by the first of them. */
final class SigningKeyTable {
  private static final String FIND = "SELECT pem FROM signing_keys WHERE algorithm = ?";

  private static final String INSERT =
      """
      INSERT INTO signing_keys (kid, algorithm, pem, created_at)
      VALUES (?, ?, ?, CURRENT_TIMESTAMP)
      """;

  private final Database database;

  SigningKeyTable(Database database) {
    this.database = database;
  }

  SigningKey load(SigningAlgorithm algorithm) throws UnusableKeyException {
    Optional<String> pem = find(algorithm);
    if (pem.isEmpty()) {
      insert(SigningKey.proven(algorithm.generate(), algorithm));
      // Ours, or that of an instance that was a moment faster.
      pem = find(algorithm);
    }
    return SigningKey.proven(KeyPem.read(pem.orElseThrow(), algorithm), algorithm);
  }

  private Optional<String> find(SigningAlgorithm algorithm) {
    return database.run(
        connection -> {
          try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setString(1, algorithm.joseName());
            try (ResultSet row = find.executeQuery()) {
              return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
          }
        });
  }

  private void insert(SigningKey key) {
    database.<Boolean>run(
        connection -> {
          try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, key.kid());
            insert.setString(2, key.algorithm().joseName());
            insert.setString(3, KeyPem.write(key.pair()));
            return insert.executeUpdate() == 1;
          } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.DUPLICATE) {
              return false;
            }
            throw e;
          }
        });
  }
}
