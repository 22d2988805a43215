package dev.spillway.auth;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.HashMap;
import java.util.Map;

/** Reads and validates a configuration as a start of the service does, without the service. */
public final class ConfigText {
  private static final Validator VALIDATOR =
      Validation.buildDefaultValidatorFactory().getValidator();

  private ConfigText() {}

  /**
   * @param keysAndValues by turns
   * @throws RuntimeException that would end the start
   */
  public static <T> T read(Class<T> mapping, String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    SmallRyeConfig config =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .addDiscoveredConverters()
            .withMapping(mapping)
            .withValidator((BeanValidationConfigValidator) () -> VALIDATOR)
            .withDefaultValues(values)
            .build();
    return config.getConfigMapping(mapping);
  }
}
