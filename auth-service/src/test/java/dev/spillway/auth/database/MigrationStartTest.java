package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.CapturedLog;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import java.util.List;
import java.util.logging.Level;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class MigrationStartTest {
  private final FlywayConfigurationCustomizer customizer = new MigrationStart().h2();

  @Test
  void databaseThatDoesNotAnswer_isNamedBeforeTheWait() {
    assertThat(logged("jdbc:h2:tcp://localhost:1/none"))
        .singleElement()
        .asString()
        .contains("Waiting up to 14 s for the database: ");
  }

  @Test
  void databaseThatIsThere_isNotMentioned() {
    assertThat(logged("jdbc:h2:mem:there")).isEmpty();
  }

  private List<String> logged(String url) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url);
    try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
      customizer.customize(
          new FluentConfiguration().dataSource(source).connectRetries(7).connectRetriesInterval(2));
      return log.lines().stream()
          .filter(line -> line.contains(MigrationStart.class.getName()))
          .toList();
    }
  }
}
