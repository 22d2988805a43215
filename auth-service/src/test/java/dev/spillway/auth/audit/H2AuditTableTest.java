package dev.spillway.auth.audit;

import dev.spillway.auth.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2AuditTableTest extends AuditTableContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.h2File();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }
}
