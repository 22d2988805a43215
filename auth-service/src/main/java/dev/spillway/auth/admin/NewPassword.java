package dev.spillway.auth.admin;

import dev.spillway.auth.deadline.ClientWatch;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.passwords.BreachedPasswords;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Turns a password that an admin sets into the hash to store. */
@ApplicationScoped
class NewPassword {
  private final Hashing hashing;
  private final HashingConfig config;
  private final BreachedPasswords breached;

  NewPassword(Hashing hashing, HashingConfig config, BreachedPasswords breached) {
    this.hashing = hashing;
    this.config = config;
    this.breached = breached;
  }

  /**
   * @param password wiped
   * @return empty if the client went away
   * @throws jakarta.ws.rs.WebApplicationException 400 if no password can be like this, or it is a
   *     breached one; no hash was spent
   * @throws Overloaded if nobody had the capacity
   */
  Optional<BcryptHash> hash(Secret password, RoutingContext http) {
    byte[] bytes = password.utf8();
    password.wipe();
    Deadline deadline = ClientWatch.deadline(http, config.deadline());
    try (PasswordForms forms = PasswordForms.of(bytes)) {
      PasswordFault.of(forms.nfc())
          .ifPresent(
              fault -> {
                throw Problem.invalid(new Problem.Refused("password", fault.message()))
                    .toException();
              });
      if (breached.contains(forms)) {
        throw Problem.refused(
                "breached-password",
                "This password is known from a breach elsewhere.",
                new Problem.Refused("password", "is in a list of breached passwords"))
            .toException();
      }
      return switch (hashing.create(forms.nfc(), deadline)) {
        case HashAnswer.Computed(BcryptHash hash, var path) -> Optional.of(hash);
        case HashAnswer.Shed(Duration retryAfter) -> throw new Overloaded(retryAfter);
        case HashAnswer.Gone(var begun) -> Optional.empty();
      };
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
