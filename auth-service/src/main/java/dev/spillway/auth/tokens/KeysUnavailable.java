package dev.spillway.auth.tokens;

import dev.spillway.auth.http.Unavailable;
import java.time.Duration;

/** Another instance has added a key that this one cannot use. */
final class KeysUnavailable extends Unavailable {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  KeysUnavailable(UnusableKeyException cause) {
    super("keys-unavailable", "This instance cannot sign tokens now.", RETRY_AFTER, cause);
  }
}
