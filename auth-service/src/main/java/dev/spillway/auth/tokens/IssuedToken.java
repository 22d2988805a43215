package dev.spillway.auth.tokens;

import java.time.Duration;

/**
 * A signed token and its lifetime.
 *
 * @param jwt the compact form, to be handed to the client and nobody else
 * @param expiresIn how long it is good for
 */
public record IssuedToken(String jwt, Duration expiresIn) {
  /** Leaves the token out, because its holder is the user. */
  @Override
  public String toString() {
    return "IssuedToken[expires in %s]".formatted(expiresIn);
  }
}
