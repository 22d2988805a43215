package dev.spillway.auth.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What is kept of attempts, and for how long. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.audit")
interface AuditConfig {
  /** How accounts are named. */
  @WithDefault("clear")
  Logins logins();

  /** 32 bytes in base64. Without it a key is made at each start. */
  Optional<Path> keyFile();

  /** How long entries are kept in the table; 0 for no entry in it. */
  @WithDefault("90d")
  @DurationMin
  @DurationMax(days = 3650)
  Duration keepFor();

  /** Ways to name an account. */
  enum Logins {
    /** As it is, if there is such an account. */
    CLEAR,
    /** By HMAC-SHA-256, all of them. */
    KEYED
  }
}
