package dev.spillway.auth.login;

import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.Hashing;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.Verdict;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.throttle.Admission;
import dev.spillway.auth.throttle.Attempt;
import dev.spillway.auth.throttle.Throttle;
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
  private final Throttle throttle;
  private final AuditLog audit;

  Login(
      UserDirectory users,
      Hashing hashing,
      HashingConfig config,
      LoginMeters meters,
      Decoys decoys,
      Throttle throttle,
      AuditLog audit) {
    this.users = users;
    this.hashing = hashing;
    this.config = config;
    this.meters = meters;
    this.decoys = decoys;
    this.throttle = throttle;
    this.audit = audit;
  }

  /**
   * One attempt. The look-up gives its connection back before the hash begins.
   *
   * @param typed the login as the client sent it
   * @param password left as it is
   * @param network where it comes from
   */
  LoginOutcome attempt(String typed, byte[] password, ClientNetwork network, Deadline deadline) {
    Optional<LoginName> name = LoginName.parse(typed);
    String counted = name.map(LoginName::text).orElse(typed);
    Trail trail = new Trail(audit, counted, network);
    LoginOutcome outcome;
    try {
      outcome = outcome(name, counted, password, network, deadline, trail);
    } catch (RuntimeException e) {
      meters.failed();
      trail.failed();
      throw e;
    }
    meters.ended(outcome);
    trail.ended(outcome);
    return outcome;
  }

  private LoginOutcome outcome(
      Optional<LoginName> name,
      String counted,
      byte[] password,
      ClientNetwork network,
      Deadline deadline,
      Trail trail) {
    Optional<PasswordFault> fault = PasswordFault.of(password);
    boolean cut = fault.filter(f -> f == PasswordFault.TOO_LONG).isPresent();
    if (fault.isPresent() && !(cut && config.truncateForLegacy())) {
      // Nobody has such a password, and everybody is told so after the same time: no hash at all.
      return new LoginOutcome.Denied(Optional.empty());
    }
    if (deadline.passed()) {
      return late(deadline);
    }
    try (Attempt attempt = throttle.attempt(counted, network)) {
      Optional<UserRecord> user = name.flatMap(known -> users.find(known, attempt));
      trail.found(user);
      if (name.isEmpty()) {
        attempt.lookUp();
      }
      return switch (attempt.admit(deadline)) {
        case Admission.Admitted admitted -> {
          Optional<BcryptHash> stored =
              user.filter(found -> !cut || found.legacy()).flatMap(this::verifiable);
          BcryptHash held = stored.orElseGet(() -> decoys.forLogin(counted));
          Verdict verdict = verdict(held, password, cut, attempt, deadline);
          yield decided(verdict, user.filter(found -> stored.isPresent()), attempt);
        }
        case Admission.Refused(Admission.Limit by, Duration retryAfter) ->
            new LoginOutcome.Throttled(by, retryAfter);
        case Admission.Late late -> late(deadline);
      };
    }
  }

  private Verdict verdict(
      BcryptHash held, byte[] password, boolean cut, Attempt attempt, Deadline deadline) {
    byte[] read = cut ? Arrays.copyOf(password, BcryptHash.MAX_PASSWORD_BYTES) : password;
    try {
      return hashing.verify(held, read, attempt, deadline);
    } finally {
      if (cut) {
        Arrays.fill(read, (byte) 0);
      }
    }
  }

  /**
   * @param user whose hash it was held against; empty if that was a decoy
   */
  private static LoginOutcome decided(Verdict verdict, Optional<UserRecord> user, Attempt attempt) {
    return switch (verdict) {
      case Verdict.Match(Verdict.Path path) when user.isPresent() && !user.get().disabled() -> {
        attempt.right();
        yield new LoginOutcome.Granted(user.get(), path);
      }
      case Verdict.Match(Verdict.Path path) -> wrong(attempt, path);
      case Verdict.Mismatch(Verdict.Path path) -> wrong(attempt, path);
      case Verdict.Shed(Duration retryAfter) -> new LoginOutcome.Shed(retryAfter);
      case Verdict.Gone() -> new LoginOutcome.Gone();
    };
  }

  private static LoginOutcome wrong(Attempt attempt, Verdict.Path path) {
    attempt.wrong();
    return new LoginOutcome.Denied(Optional.of(path));
  }

  private static LoginOutcome late(Deadline deadline) {
    return deadline.abandoned()
        ? new LoginOutcome.Gone()
        : new LoginOutcome.Shed(Duration.ofSeconds(1));
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
