package dev.spillway.auth.throttle;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2ThrottleCrowdTest extends ThrottleCrowdContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
