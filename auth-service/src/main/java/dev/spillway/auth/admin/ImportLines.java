package dev.spillway.auth.admin;

import dev.spillway.auth.deadline.ClientWatch;
import dev.spillway.auth.hashing.Guess;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Secret;
import dev.spillway.auth.users.GroupNames;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a line of an import means: a user, or a reason why not. */
@ApplicationScoped
class ImportLines {
  private final Hashing hashing;
  private final HashingConfig config;

  ImportLines(Hashing hashing, HashingConfig config) {
    this.hashing = hashing;
    this.config = config;
  }

  /**
   * @throws Overloaded if a check could not be made; the import is to be sent again
   */
  Meaning of(ImportLine line, RoutingContext http) {
    Optional<LoginName> login = LoginName.parse(line.login());
    if (login.isEmpty()) {
      return new Meaning.Refused("login " + LoginName.RULE);
    }
    Optional<Set<String>> groups = GroupNames.parse(line.groups());
    if (groups.isEmpty()) {
      return new Meaning.Refused("groups " + GroupNames.RULE);
    }
    if (line.hash() == null) {
      return new Meaning.Refused("hash is missing");
    }
    return switch (StoredHash.parse(line.hash(), config.maxCost())) {
      case StoredHash.Parsed.Invalid(ParsedHash.Reason reason) ->
          new Meaning.Refused("hash cannot be verified: " + reason.label());
      case StoredHash.Parsed.Valid(StoredHash hash) ->
          line.check() == null || matches(hash, line.check(), http)
              ? new Meaning.User(
                  new NewUser(
                      login.get(),
                      hash.encoded(),
                      true,
                      Boolean.TRUE.equals(line.disabled()),
                      groups.get()))
              : new Meaning.Refused("check does not match hash");
    };
  }

  private boolean matches(StoredHash hash, Secret check, RoutingContext http) {
    byte[] password = check.utf8();
    check.wipe();
    try (PasswordForms forms = PasswordForms.of(password)) {
      List<Guess> guesses = Guess.of(forms, config.truncateForLegacy());
      try {
        return guesses.stream().anyMatch(guess -> matches(hash, guess.bytes(), http));
      } finally {
        guesses.forEach(Guess::wipeIfCut);
      }
    } finally {
      Arrays.fill(password, (byte) 0);
    }
  }

  private boolean matches(StoredHash hash, byte[] password, RoutingContext http) {
    Deadline deadline = ClientWatch.stepDeadline(http, config.deadline());
    return switch (hash.verify(hashing, password, hashing.spending(), deadline)) {
      case HashAnswer.Computed(Boolean matches, var path) -> matches;
      case HashAnswer.Shed(Duration retryAfter) -> throw new Overloaded(retryAfter);
      case HashAnswer.Gone(var begun) -> throw new Overloaded(Duration.ofSeconds(1));
    };
  }

  /** What a line means. */
  sealed interface Meaning {
    record User(NewUser user) implements Meaning {}

    record Refused(String reason) implements Meaning {}
  }
}
