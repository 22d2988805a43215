package dev.spillway.auth.login;

import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.hashing.Guess;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.auth.login.LoginOutcome.Stage;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.throttle.Admission;
import dev.spillway.auth.throttle.Attempt;
import dev.spillway.auth.throttle.Throttle;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

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
  private final Rehash rehash;
  private final SpendCeiling ceiling;

  Login(
      UserDirectory users,
      Hashing hashing,
      HashingConfig config,
      LoginMeters meters,
      Decoys decoys,
      Throttle throttle,
      AuditLog audit,
      Rehash rehash,
      SpendCeiling ceiling) {
    this.users = users;
    this.hashing = hashing;
    this.config = config;
    this.meters = meters;
    this.decoys = decoys;
    this.throttle = throttle;
    this.audit = audit;
    this.rehash = rehash;
    this.ceiling = ceiling;
  }

  /**
   * One attempt. The look-up gives its connection back before the hash begins.
   *
   * @param action what is attempted, for the audit log
   * @param typed the login as the client sent it
   * @param password left as it is
   * @param network where it comes from
   * @param begin what the user of a right password is given; should it fail, so has the attempt
   */
  <T> LoginOutcome<T> attempt(
      Action action,
      String typed,
      byte[] password,
      ClientNetwork network,
      Deadline deadline,
      Function<UserRecord, T> begin) {
    Optional<LoginName> name = LoginName.parse(typed);
    String counted = name.map(LoginName::text).orElse(typed);
    LoginAudit audited = new LoginAudit(audit, action, counted, network);
    LoginOutcome<T> outcome;
    try {
      outcome = outcome(name, counted, password, network, deadline, begin, audited);
    } catch (RuntimeException e) {
      meters.failed();
      audited.failed();
      throw e;
    }
    meters.ended(outcome);
    audited.ended(outcome);
    return outcome;
  }

  private <T> LoginOutcome<T> outcome(
      Optional<LoginName> name,
      String counted,
      byte[] password,
      ClientNetwork network,
      Deadline deadline,
      Function<UserRecord, T> begin,
      LoginAudit audited) {
    try (PasswordForms forms = PasswordForms.of(password)) {
      List<Guess> guesses = Guess.of(forms, config.truncateForLegacy());
      try {
        return outcome(name, counted, guesses, forms.nfc(), network, deadline, begin, audited);
      } finally {
        guesses.forEach(Guess::wipeIfCut);
      }
    }
  }

  private <T> LoginOutcome<T> outcome(
      Optional<LoginName> name,
      String counted,
      List<Guess> guesses,
      byte[] nfc,
      ClientNetwork network,
      Deadline deadline,
      Function<UserRecord, T> begin,
      LoginAudit audited) {
    if (guesses.isEmpty()) {
      // Nobody has such a password, and everybody is told so after the same time: no hash at all.
      return new LoginOutcome.Denied<>(Optional.empty());
    }
    if (deadline.passed()) {
      return late(deadline);
    }
    try (Attempt attempt = throttle.attempt(counted, network)) {
      Optional<UserRecord> user = name.flatMap(known -> users.find(known, attempt));
      audited.found(user);
      if (name.isEmpty()) {
        attempt.lookUp();
      }
      return switch (attempt.admit(deadline)) {
        case Admission.Admitted admitted ->
            decided(user, () -> decoys.forLogin(counted), guesses, nfc, attempt, deadline, begin);
        case Admission.Refused(Admission.Limit by, Duration retryAfter) ->
            new LoginOutcome.Throttled<>(by, retryAfter);
        case Admission.Late late -> late(deadline);
      };
    }
  }

  /**
   * Holds one guess after the other against the user's hash, each for a permit or a spill of its
   * own, until one is right. A decoy is held in place of a hash that is not there, and a match with
   * it, or on a disabled account, ends nothing: those cost as many hashes as a wrong password.
   */
  private <T> LoginOutcome<T> decided(
      Optional<UserRecord> user,
      Supplier<StoredHash> decoy,
      List<Guess> guesses,
      byte[] nfc,
      Attempt attempt,
      Deadline deadline,
      Function<UserRecord, T> begin) {
    Optional<StoredHash> stored = user.flatMap(this::verifiable);
    Optional<HashAnswer.Path> last = Optional.empty();
    for (Guess guess : guesses) {
      // A cut guess is held against the user's own hash also where it counts for nothing: a decoy's
      // other cost would tell that there is a user.
      boolean counts =
          stored.isPresent() && !user.get().disabled() && (!guess.cut() || user.get().legacy());
      switch (stored
          .orElseGet(decoy)
          .verify(hashing, guess.bytes(), ceiling.of(attempt), deadline)) {
        case HashAnswer.Computed(Boolean right, HashAnswer.Path path) when right && counts -> {
          attempt.right();
          if (!mayBeCut(guess, user.get()) && !deadline.abandoned()) {
            rehash.offer(user.get(), stored.get(), !guess.nfc(), nfc);
          }
          return new LoginOutcome.Granted<>(begin.apply(user.get()), path);
        }
        case HashAnswer.Computed(Boolean right, HashAnswer.Path path) -> last = Optional.of(path);
        case HashAnswer.Shed(Duration retryAfter) -> {
          return new LoginOutcome.Shed<>(retryAfter);
        }
        case HashAnswer.Gone(Optional<HashAnswer.Path> begun) -> {
          Stage stage = last.isPresent() ? Stage.BETWEEN_FORMS : stage(begun);
          switch (stage) {
            case BEFORE, IN_LINE -> {}
            case HASHING, CALLED -> attempt.abandoned();
            // A client that leaves without a 200 after the first form knows that it was wrong.
            case BETWEEN_FORMS -> attempt.wrong();
          }
          return new LoginOutcome.Gone<>(stage);
        }
      }
    }
    attempt.wrong();
    return new LoginOutcome.Denied<>(last);
  }

  /** Whether the hash may be of a longer password: a new one, of what was typed, would end that. */
  private boolean mayBeCut(Guess guess, UserRecord user) {
    return guess.cut()
        || config.truncateForLegacy()
            && user.legacy()
            && guess.bytes().length == BcryptHash.MAX_PASSWORD_BYTES;
  }

  private static Stage stage(Optional<HashAnswer.Path> begun) {
    return begun
        .map(
            path ->
                switch (path) {
                  case LOCAL -> Stage.HASHING;
                  case SPILLED -> Stage.CALLED;
                })
        .orElse(Stage.IN_LINE);
  }

  private static <T> LoginOutcome<T> late(Deadline deadline) {
    return deadline.abandoned()
        ? new LoginOutcome.Gone<>(Stage.BEFORE)
        : new LoginOutcome.Shed<>(Duration.ofSeconds(1));
  }

  private Optional<StoredHash> verifiable(UserRecord user) {
    return switch (StoredHash.parse(user.passwordHash(), config.maxCost())) {
      case StoredHash.Parsed.Valid(StoredHash hash) -> Optional.of(hash);
      case StoredHash.Parsed.Invalid(ParsedHash.Reason reason) -> {
        meters.unverifiable(user.id(), reason);
        yield Optional.empty();
      }
    };
  }
}
