package dev.spillway.auth.dashboard;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

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
}
