package dev.spillway.auth.admin;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Whom a first start with an empty database creates. */
@ConfigMapping(prefix = "spillway.bootstrap")
interface BootstrapConfig {
  /** Login of the first admin. */
  @WithDefault("admin")
  String adminLogin();

  /** Its password. Unset: one is generated and shown once, on standard output and in no log. */
  Optional<String> adminPassword();

  /** Whether to create the user {@code demo} with the password {@code demo-password} too. */
  @WithDefault("false")
  boolean demoUser();
}
