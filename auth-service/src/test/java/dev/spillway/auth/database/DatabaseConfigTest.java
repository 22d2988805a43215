package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.database.DatabaseConfig.Kind;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseConfigTest {
  @Test
  void defaults() {
    DatabaseConfig config = read(Map.of());

    assertThat(config.dataDir()).isEqualTo(Path.of("data"));
    assertThat(config.database().kind()).isEqualTo(Kind.H2);
    assertThat(config.database().url()).isEmpty();
    assertThat(config.database().username()).isEmpty();
    assertThat(config.database().password()).isEmpty();
    assertThat(config.database().poolSize()).isEqualTo(16);
  }

  @Test
  void everyKey_canBeSet() {
    DatabaseConfig config =
        read(
            Map.of(
                "spillway.data-dir", "/var/lib/spillway",
                "spillway.database.kind", "postgresql",
                "spillway.database.url", "jdbc:postgresql://db/x",
                "spillway.database.username", "u",
                "spillway.database.password", "p",
                "spillway.database.pool-size", "3"));

    assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/spillway"));
    assertThat(config.database().kind()).isEqualTo(Kind.POSTGRESQL);
    assertThat(config.database().url()).contains("jdbc:postgresql://db/x");
    assertThat(config.database().username()).contains("u");
    assertThat(config.database().password()).contains("p");
    assertThat(config.database().poolSize()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.database.kind, mysql",
    "spillway.database.pool-size, 0",
    "spillway.database.pool-size, 1001",
    "spillway.database.nonsense, 1",
    "spillway.nonsense, 1",
  })
  void impossibleOrUnknown_isRefused(String key, String value) {
    assertThatThrownBy(() -> read(Map.of(key, value)))
        .isInstanceOf(ConfigValidationException.class)
        .hasMessageContaining(key);
  }

  private static DatabaseConfig read(Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .addDefaultInterceptors()
        .addDiscoveredConverters()
        .withSources(new PropertiesConfigSource(values, "test", 100))
        .withValidator(new Constraints())
        .withMapping(DatabaseConfig.class)
        .build()
        .getConfigMapping(DatabaseConfig.class);
  }

  private static final class Constraints implements BeanValidationConfigValidator {
    @Override
    public Validator getValidator() {
      return Validation.buildDefaultValidatorFactory().getValidator();
    }
  }
}
