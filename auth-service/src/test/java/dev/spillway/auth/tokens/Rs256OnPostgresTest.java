package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.PostgresResource;
import dev.spillway.auth.users.UserDirectory;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same application on PostgreSQL, with RS256. */
@QuarkusTest
@TestProfile(Rs256OnPostgresTest.OnPostgres.class)
class Rs256OnPostgresTest extends TokensContract {
  public static class OnPostgres implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("spillway.tokens.algorithm", "RS256");
    }

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(PostgresResource.class));
    }
  }

  @Inject UserDirectory users;

  @Override
  SigningAlgorithm algorithm() {
    return SigningAlgorithm.RS256;
  }

  @Test
  void users_areThereToo() {
    assertThat(users.list(0, 10)).isNotNull();
  }
}
