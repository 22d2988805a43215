package dev.spillway.auth.database;

import dev.spillway.auth.http.Unavailable;
import java.time.Duration;

/** No connection could be had in time, or the one at hand broke. */
public final class DatabaseUnavailable extends Unavailable {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  DatabaseUnavailable(Throwable cause) {
    super("database-unavailable", "The user directory does not answer.", RETRY_AFTER, cause);
  }
}
