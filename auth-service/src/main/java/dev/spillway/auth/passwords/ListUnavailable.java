package dev.spillway.auth.passwords;

import dev.spillway.auth.http.Unavailable;
import java.time.Duration;

/** The list of breached passwords was there at the start and cannot be read now. */
final class ListUnavailable extends Unavailable {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  ListUnavailable(Throwable cause) {
    super(
        "breached-list-unavailable",
        "New passwords cannot be looked up now; nothing was done.",
        RETRY_AFTER,
        cause);
  }
}
