package dev.spillway.auth.dashboard;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** Who may look at the dashboard. The defaults are argued in docs/monitoring.md. */
@ConfigMapping(prefix = "spillway.dashboard")
public interface DashboardConfig {
  /** Whose figures are shown. */
  enum Access {
    /** To those with an admin's token. */
    ADMIN,
    /** To everybody who reaches the path. */
    OPEN,
    /** To nobody: there is no dashboard. */
    OFF
  }

  @WithDefault("admin")
  Access access();

  /** Streams open at once; each costs a connection and a few kilobytes a second. */
  @Min(1)
  @Max(1000)
  @WithDefault("8")
  int viewers();
}
