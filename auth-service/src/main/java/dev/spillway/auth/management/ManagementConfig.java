package dev.spillway.auth.management;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.OptionalInt;

/** Where what is not for everybody is answered. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.management")
interface ManagementConfig {
  /** A port of its own for admins and operators. Unset: the main one answers everything. */
  @Min(1)
  @Max(65_535)
  OptionalInt port();

  /** Address that this port is opened on. */
  @WithDefault("127.0.0.1")
  String address();
}
