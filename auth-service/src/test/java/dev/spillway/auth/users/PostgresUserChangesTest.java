package dev.spillway.auth.users;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresUserChangesTest extends UserChangesContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
