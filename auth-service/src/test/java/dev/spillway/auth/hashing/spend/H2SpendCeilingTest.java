package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2SpendCeilingTest extends SpendCeilingContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
