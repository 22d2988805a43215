package dev.spillway.auth.login;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.throttle.Admission;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.hashing.HashAnswer;
import java.util.Optional;

/** What the audit log will be told of one attempt, as far as it is known. */
final class LoginAudit {
  private final AuditLog log;
  private final Action action;
  private final String login;
  private final ClientNetwork network;
  private Optional<UserRecord> user = Optional.empty();

  /**
   * @param login in its normal form, if it has one
   */
  LoginAudit(AuditLog log, Action action, String login, ClientNetwork network) {
    this.log = log;
    this.action = action;
    this.login = login;
    this.network = network;
  }

  void found(Optional<UserRecord> found) {
    user = found;
  }

  void ended(LoginOutcome<?> outcome) {
    switch (outcome) {
      case LoginOutcome.Granted(var by, HashAnswer.Path path) -> add("granted", path(path));
      case LoginOutcome.Denied(Optional<HashAnswer.Path> path) ->
          add(denied(path), path.map(LoginAudit::path).orElse(AuditEvent.Path.NONE));
      case LoginOutcome.Throttled(Admission.Limit by, var retryAfter) ->
          add("throttled_by_" + by.label(), AuditEvent.Path.NONE);
      case LoginOutcome.Shed shed -> add("shed", AuditEvent.Path.NONE);
      case LoginOutcome.Gone(LoginOutcome.Stage stage) -> gone(stage);
    }
  }

  private void gone(LoginOutcome.Stage stage) {
    switch (stage) {
      case BEFORE, IN_LINE -> add("gone", AuditEvent.Path.NONE);
      case HASHING -> add("gone", AuditEvent.Path.POOL);
      case CALLED -> add("gone", AuditEvent.Path.SPILL);
      case BETWEEN_FORMS -> add("gone_after_wrong", AuditEvent.Path.NONE);
    }
  }

  /** It ended in an exception. */
  void failed() {
    add("failed", AuditEvent.Path.NONE);
  }

  /** More than the client is told. */
  private String denied(Optional<HashAnswer.Path> path) {
    if (path.isEmpty()) {
      return "impossible_password";
    }
    if (user.isEmpty()) {
      return "no_such_user";
    }
    return user.get().disabled() ? "disabled" : "wrong_password";
  }

  private static AuditEvent.Path path(HashAnswer.Path path) {
    return switch (path) {
      case LOCAL -> AuditEvent.Path.POOL;
      case SPILLED -> AuditEvent.Path.SPILL;
    };
  }

  private void add(String outcome, AuditEvent.Path path) {
    log.add(new AuditEvent(action, login, user.isPresent(), null, network.text(), outcome, path));
  }
}
