package dev.spillway.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import java.time.Duration;

/** What came of hashing a new password. */
public sealed interface NewHash {
  /** The hash to store. */
  record Made(BcryptHash hash) implements NewHash {}

  /** Nobody had the capacity in time. */
  record Shed(Duration retryAfter) implements NewHash {}

  /** The client went away. */
  record Gone() implements NewHash {}
}
