package dev.spillway.auth.admin;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.database.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;

@QuarkusTest
@TestProfile(PostgresAuditedChangesTest.OnPostgres.class)
class PostgresAuditedChangesTest extends AuditedChangesContract {
  public static final class OnPostgres extends LocalOnly {
    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(PostgresResource.class));
    }
  }
}
