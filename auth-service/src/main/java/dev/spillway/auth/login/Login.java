package dev.spillway.auth.login;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.Hashing;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.Verdict;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Decides who gets in. */
@ApplicationScoped
class Login {
  private final UserDirectory users;
  private final Hashing hashing;
  private final HashingConfig config;
  private final LoginMeters meters;
  private final Decoys decoys;

  Login(
      UserDirectory users,
      Hashing hashing,
      HashingConfig config,
      LoginMeters meters,
      Decoys decoys) {
    this.users = users;
    this.hashing = hashing;
    this.config = config;
    this.meters = meters;
    this.decoys = decoys;
  }

  /**
   * One attempt. The look-up gives its connection back before the hash begins.
   *
   * @param typed the login as the client sent it
   * @param password left as it is
   */
  LoginOutcome attempt(String typed, byte[] password, Deadline deadline) {
    LoginOutcome outcome;
    try {
      outcome = outcome(typed, password, deadline);
    } catch (RuntimeException e) {
      meters.failed();
      throw e;
    }
    meters.ended(outcome);
    return outcome;
  }

  private LoginOutcome outcome(String typed, byte[] password, Deadline deadline) {
    Optional<PasswordFault> fault = PasswordFault.of(password);
    boolean cut = fault.filter(f -> f == PasswordFault.TOO_LONG).isPresent();
    if (fault.isPresent() && !(cut && config.truncateForLegacy())) {
      // Nobody has such a password, and everybody is told so after the same time: no hash at all.
      return new LoginOutcome.Denied();
    }
    if (deadline.passed()) {
      return deadline.abandoned()
          ? new LoginOutcome.Gone()
          : new LoginOutcome.Shed(Duration.ofSeconds(1));
    }
    Optional<LoginName> name = LoginName.parse(typed);
    Optional<UserRecord> user = name.flatMap(users::find);
    Optional<BcryptHash> stored =
        user.filter(found -> !cut || found.legacy()).flatMap(this::verifiable);

    byte[] read = cut ? Arrays.copyOf(password, BcryptHash.MAX_PASSWORD_BYTES) : password;
    try {
      BcryptHash held =
          stored.orElseGet(() -> decoys.forLogin(name.map(LoginName::text).orElse(typed)));
      return switch (hashing.verify(held, read, deadline)) {
        case Verdict.Match(Verdict.Path path) ->
            stored.isPresent() && !user.orElseThrow().disabled()
                ? new LoginOutcome.Granted(user.orElseThrow(), path)
                : new LoginOutcome.Denied();
        case Verdict.Mismatch mismatch -> new LoginOutcome.Denied();
        case Verdict.Shed(Duration retryAfter) -> new LoginOutcome.Shed(retryAfter);
        case Verdict.Gone() -> new LoginOutcome.Gone();
      };
    } finally {
      if (cut) {
        Arrays.fill(read, (byte) 0);
      }
    }
  }

  private Optional<BcryptHash> verifiable(UserRecord user) {
    return switch (ParsedHash.of(user.passwordHash(), config.maxCost())) {
      case ParsedHash.Valid(BcryptHash hash) -> Optional.of(hash);
      case ParsedHash.Invalid(ParsedHash.Reason reason) -> {
        meters.unverifiable(user.id(), reason);
        yield Optional.empty();
      }
    };
  }
}
