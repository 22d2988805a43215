package dev.spillway.auth.changes;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.HashingSettings;
import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spill.SpillConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * The configuration as a start would read it now: the sources of the last start with another file
 * of changes, checked by the same mappings.
 */
@Singleton
final class ChangedConfig {
  private final SmallRyeConfig start;
  private final Validator validator;

  ChangedConfig(SmallRyeConfig start, Validator validator) {
    this.start = start;
    this.validator = validator;
  }

  /** What the file said at the start. */
  Optional<byte[]> content() {
    for (ConfigSource source : start.getConfigSources()) {
      if (source instanceof ChangesSource changes) {
        return Optional.of(changes.content());
      }
    }
    return Optional.empty();
  }

  /**
   * @throws RuntimeException if that would stop the start, with the message it would stop with
   */
  HashingSettings with(Path file, byte[] content) {
    List<ConfigSource> sources = new ArrayList<>();
    sources.add(new ChangesSource(file, content));
    for (ConfigSource source : start.getConfigSources()) {
      if (!(source instanceof ChangesSource)) {
        sources.add(source);
      }
    }
    SmallRyeConfig changed =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .addDiscoveredConverters()
            .withProfiles(start.getProfiles())
            .withSources(sources)
            .withMapping(PoolConfig.class)
            .withMapping(HashingConfig.class)
            .withMapping(SpillConfig.class)
            .withValidator((BeanValidationConfigValidator) () -> validator)
            .build();
    return HashingSettings.of(
        changed.getConfigMapping(PoolConfig.class),
        changed.getConfigMapping(HashingConfig.class),
        changed.getConfigMapping(SpillConfig.class));
  }
}
