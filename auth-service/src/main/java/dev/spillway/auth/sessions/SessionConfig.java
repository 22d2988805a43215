package dev.spillway.auth.sessions;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Whether a login begins a session, and how long one lasts. */
@ConfigMapping(prefix = "spillway.sessions")
public interface SessionConfig {
  /**
   * Off: a holder of a refresh token is the user for weeks, and where clients keep such a thing is
   * for the owner of the service to know first.
   */
  @WithDefault("false")
  boolean enabled();

  /** How long a session lasts without a refresh. A day: who comes back tomorrow need not log in. */
  @WithDefault("24h")
  @DurationMin(seconds = 1)
  @DurationMax(days = 365)
  Duration idle();

  /**
   * How long it lasts whatever happens. NIST SP 800-63B asks for the password again after 30 days
   * at its lowest level of assurance.
   */
  @WithDefault("30d")
  @DurationMin(seconds = 1)
  @DurationMax(days = 3650)
  Duration longest();
}
