package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresSpendCeilingTest extends SpendCeilingContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
