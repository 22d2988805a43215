package dev.spillway.auth.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What is kept of attempts, and for how long. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.audit")
interface AuditConfig {
  /** Whether attempts are written to the table. */
  @WithDefault("true")
  boolean table();

  /** Whether each entry is a line of JSON in the log category {@code spillway.audit} too. */
  @WithDefault("false")
  boolean log();

  /** How accounts are named. */
  @WithDefault("clear")
  Logins logins();

  /** 32 bytes in base64. Without it a key is made at each start. */
  Optional<Path> keyFile();

  /** How long entries are kept. */
  @WithDefault("90d")
  @DurationMin(hours = 1)
  @DurationMax(days = 3650)
  Duration keepFor();

  /** Entries that wait for the writer, and as many again that wait for the database. */
  @WithDefault("10000")
  @Min(100)
  @Max(1_000_000)
  int buffer();

  /** Between two batches. */
  @WithDefault("250ms")
  @DurationMin(millis = 10)
  @DurationMax(seconds = 10)
  Duration interval();

  /** Ways to name an account. */
  enum Logins {
    /** As it is, if there is such an account. */
    CLEAR,
    /** By HMAC-SHA-256, all of them. */
    KEYED
  }
}
