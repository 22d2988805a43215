package dev.spillway.auth.users;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2UserChangesTest extends UserChangesContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
