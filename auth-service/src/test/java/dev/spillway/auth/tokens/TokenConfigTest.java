package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenConfigTest {
  @Test
  void defaults() {
    TokenConfig config = read(Map.of());

    assertThat(config.issuer()).isEqualTo("http://localhost:8080");
    assertThat(config.audience()).isEqualTo("spillway");
    assertThat(config.lifetime()).isEqualTo(Duration.ofMinutes(15));
    assertThat(config.algorithm()).isEqualTo(SigningAlgorithm.ES256);
    assertThat(config.keyFiles()).isEmpty();
    assertThat(config.jwksMaxAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.rotation().every()).isEmpty();
    assertThat(config.sealing().keys()).isEmpty();
    assertThat(config.sealing().use()).isEmpty();
  }

  @Test
  void everyKey_canBeSet() {
    TokenConfig config =
        read(
            Map.of(
                "spillway.tokens.issuer", "https://login.example.com/auth",
                "spillway.tokens.audience", "a",
                "spillway.tokens.lifetime", "24h",
                "spillway.tokens.algorithm", "eddsa",
                "spillway.tokens.key-files", "/run/secrets/key.pem,/run/next.pem",
                "spillway.tokens.jwks-max-age", "1h",
                "spillway.tokens.rotation.every", "90d"));

    assertThat(config.issuer()).isEqualTo("https://login.example.com/auth");
    assertThat(config.audience()).isEqualTo("a");
    assertThat(config.lifetime()).isEqualTo(Duration.ofDays(1));
    assertThat(config.algorithm()).isEqualTo(SigningAlgorithm.EDDSA);
    assertThat(config.keyFiles())
        .contains(List.of(Path.of("/run/secrets/key.pem"), Path.of("/run/next.pem")));
    assertThat(config.jwksMaxAge()).isEqualTo(Duration.ofHours(1));
    assertThat(config.rotation().every()).contains(Duration.ofDays(90));
    TokenConfig other =
        read(
            Map.of(
                "spillway.tokens.sealing.keys.a", "/run/seal-a",
                "spillway.tokens.sealing.keys.b", "/run/seal-b",
                "spillway.tokens.sealing.use", "b"));
    assertThat(other.sealing().keys())
        .containsOnly(
            Map.entry("a", Path.of("/run/seal-a")), Map.entry("b", Path.of("/run/seal-b")));
    assertThat(other.sealing().use()).contains("b");
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.tokens.issuer, localhost",
    "spillway.tokens.issuer, https://login.example.com/",
    "spillway.tokens.issuer, https://login.example.com?a=b",
    "spillway.tokens.audience, ' '",
    "spillway.tokens.lifetime, 999ms",
    "spillway.tokens.lifetime, 24h1s",
    "spillway.tokens.algorithm, none",
    "spillway.tokens.algorithm, HS256",
    "spillway.tokens.jwks-max-age, 999ms",
    "spillway.tokens.jwks-max-age, 24h1s",
    "spillway.tokens.rotation.every, 999ms",
    "spillway.tokens.rotation.nonsense, 1",
    "spillway.tokens.nonsense, 1",
  })
  void impossibleOrUnknown_isRefused(String key, String value) {
    assertThatThrownBy(() -> read(Map.of(key, value)))
        .isInstanceOf(ConfigValidationException.class)
        .hasMessageContaining(key);
  }

  private static TokenConfig read(Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .addDefaultInterceptors()
        .addDiscoveredConverters()
        .withSources(new PropertiesConfigSource(values, "test", 100))
        .withValidator(new Constraints())
        .withMapping(TokenConfig.class)
        .build()
        .getConfigMapping(TokenConfig.class);
  }

  private static final class Constraints implements BeanValidationConfigValidator {
    @Override
    public Validator getValidator() {
      return Validation.buildDefaultValidatorFactory().getValidator();
    }
  }
}
