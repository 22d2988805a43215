package dev.spillway.auth.tokens;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2SigningKeyTableTest extends SigningKeyTableContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
