package dev.spillway.auth.example;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whether the service shows how a login page may look. */
@ConfigMapping(prefix = "spillway.login-example")
public interface LoginExampleConfig {
  /** Off: a product brings its own page. */
  @WithDefault("false")
  boolean enabled();
}
