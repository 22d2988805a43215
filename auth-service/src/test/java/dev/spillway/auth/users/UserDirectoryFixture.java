package dev.spillway.auth.users;

import dev.spillway.auth.database.Database;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;

/** A directory in an empty database. */
abstract class UserDirectoryFixture {
  static final LoginName ANN = name("ann");
  static final LoginName BOB = name("bob");

  Database database;
  UserDirectory directory;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    database = new Database(dataSource());
    directory = new SqlUserDirectory(database);
    sql("DELETE FROM users");
    sql("DELETE FROM hash_heads");
  }

  static LoginName name(String text) {
    return LoginName.parse(text).orElseThrow();
  }

  static NewUser user(LoginName login, String hash) {
    return new NewUser(login, hash, false, false, Set.of());
  }

  void sql(String text) {
    database.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(text);
          }
        });
  }
}
