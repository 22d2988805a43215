package dev.spillway.auth.throttle;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresThrottleCrowdTest extends ThrottleCrowdContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
