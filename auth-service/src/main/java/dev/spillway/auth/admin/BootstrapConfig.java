package dev.spillway.auth.admin;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Whom a start creates, and the way back in for an operator without an admin. */
@ConfigMapping(prefix = "spillway.bootstrap")
interface BootstrapConfig {
  /** Login of the first admin. */
  @WithDefault("admin")
  String adminLogin();

  /** Its password. Unset: one is generated and shown once, on standard output and in no log. */
  Optional<String> adminPassword();

  /**
   * Whether each start gives that admin that password, the group and, if disabled, access again.
   * For one start: only an operator of the machine can set it.
   */
  @WithDefault("false")
  boolean resetAdmin();

  /**
   * Whether to create the user {@code demo} with the password {@code demo-password} too, and to
   * show {@code /login-example}.
   */
  @WithDefault("false")
  boolean demoUser();
}
