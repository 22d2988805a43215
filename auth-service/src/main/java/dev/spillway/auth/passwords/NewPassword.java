package dev.spillway.auth.passwords;

import dev.spillway.auth.deadline.ClientWatch;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.http.ClientGone;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.users.LoginName;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** Checks a password that is to be set, and turns it into the hash to store. */
@ApplicationScoped
public class NewPassword {
  private final Hashing hashing;
  private final HashingConfig config;
  private final PasswordsConfig rules;
  private final BreachedPasswords breached;

  NewPassword(
      Hashing hashing, HashingConfig config, PasswordsConfig rules, BreachedPasswords breached) {
    this.hashing = hashing;
    this.config = config;
    this.rules = rules;
    this.breached = breached;
  }

  /**
   * Checks and hashes.
   *
   * @param password wiped
   * @param login whose password it is to be
   * @throws jakarta.ws.rs.WebApplicationException as {@link #check} and {@link #hash(PasswordForms,
   *     Deadline)}
   */
  public BcryptHash hash(Secret password, LoginName login, RoutingContext http) {
    byte[] bytes = password.utf8();
    password.wipe();
    Deadline deadline = ClientWatch.deadline(http, config.deadline());
    try (PasswordForms forms = PasswordForms.of(bytes)) {
      check(forms, login, "password");
      return hash(forms, deadline);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /**
   * Costs no hash.
   *
   * @param field of the request, for the problem
   * @throws jakarta.ws.rs.WebApplicationException 400 if no password can be like this, or none that
   *     is set now may be: too short, the login itself, or a breached one
   */
  public void check(PasswordForms password, LoginName login, String field) {
    byte[] nfc = password.nfc();
    PasswordFault.of(nfc).ifPresent(fault -> refuse(field, fault.message()));
    if (characters(nfc) < rules.minLength()) {
      refuse(field, "must have at least %d characters".formatted(rules.minLength()));
    }
    if (isLogin(nfc, login)) {
      refuse(field, "must not be the login");
    }
    if (breached.contains(password)) {
      throw Problem.refused(
              "breached-password",
              "This password is known from a breach elsewhere.",
              new Problem.Refused(field, "is in a list of breached passwords"))
          .toException();
    }
  }

  /**
   * @param password checked
   * @throws Overloaded if nobody had the capacity
   * @throws jakarta.ws.rs.WebApplicationException if the client went away
   */
  public BcryptHash hash(PasswordForms password, Deadline deadline) {
    return switch (hashing.create(password.nfc(), deadline)) {
      case HashAnswer.Computed(BcryptHash hash, var path) -> hash;
      case HashAnswer.Shed(Duration retryAfter) -> throw new Overloaded(retryAfter);
      case HashAnswer.Gone(var begun) -> throw ClientGone.toException();
    };
  }

  private static void refuse(String field, String rule) {
    throw Problem.invalid(new Problem.Refused(field, rule)).toException();
  }

  /** Code points of UTF-8: all bytes but those that continue one. */
  private static int characters(byte[] utf8) {
    int characters = 0;
    for (byte b : utf8) {
      if ((b & 0xC0) != 0x80) {
        characters++;
      }
    }
    return characters;
  }

  private static boolean isLogin(byte[] password, LoginName login) {
    byte[] lower = password.clone();
    for (int i = 0; i < lower.length; i++) {
      if (lower[i] >= 'A' && lower[i] <= 'Z') {
        lower[i] += 'a' - 'A';
      }
    }
    boolean same = Arrays.equals(lower, login.text().getBytes(StandardCharsets.UTF_8));
    Arrays.fill(lower, (byte) 0);
    return same;
  }
}
