package dev.spillway.auth.sessions;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.DatabaseUnavailable;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.auth.tokens.TokenIssuer;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Grants tokens, once after a login and again for as long as its session lasts. */
@ApplicationScoped
public class Sessions {
  private static final Logger LOG = Logger.getLogger(Sessions.class);

  /**
   * For how long a secret that was just used is answered with the one that follows it, instead of
   * being taken for stolen: two tabs, or an answer lost on its way.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final SessionConfig config;
  private final SessionTable table;
  private final UserDirectory users;
  private final TokenIssuer tokens;
  private final SessionMeters meters;
  private final AuditLog audit;

  Sessions(
      SessionConfig config,
      Database database,
      UserDirectory users,
      TokenIssuer tokens,
      SessionMeters meters,
      AuditLog audit) {
    this.config = config;
    this.table = new SessionTable(database, config.idle(), config.longest(), GRACE);
    this.users = users;
    this.tokens = tokens;
    this.meters = meters;
    this.audit = audit;
  }

  /**
   * A token for a user whose password was right and, where sessions are on, the means to renew it.
   *
   * @param user as it was found before its password was verified: if something has ended what it
   *     may do since, the session has ended before it began
   * @throws dev.spillway.auth.http.Unavailable if the database does not answer
   */
  public Granted begin(UserRecord user) {
    if (!config.enabled()) {
      return grant(user, null);
    }
    RefreshSecret first = RefreshSecret.random();
    table.insert(first, user);
    meters.begun();
    return grant(user, first.text());
  }

  /** A token and the next secret for the one shown; empty if the session is over. */
  Optional<Granted> refresh(RefreshSecret shown, ClientNetwork network) {
    return switch (table.take(shown)) {
      case Turn.Taken taken -> renew(taken, network);
      case Turn.Unknown() -> over(Optional.empty(), "unknown", network);
      case Turn.Expired() -> over(Optional.empty(), "expired", network);
      case Turn.Reused(long userId) -> {
        LOG.warnf("A refresh token of user %d was used a second time; its session is over", userId);
        yield over(named(userId), "reused", network);
      }
    };
  }

  /** Ends the session of this secret, be it the present one or not. */
  void end(RefreshSecret shown, ClientNetwork network) {
    Optional<Long> userId = table.delete(shown);
    if (userId.isPresent()) {
      meters.ended();
    }
    add(
        Action.LOGOUT,
        userId.flatMap(this::named),
        userId.isPresent() ? "ended" : "unknown",
        network);
  }

  /** For the log only: what has happened stays so, whether or not its name can be found. */
  private Optional<UserRecord> named(long userId) {
    try {
      return users.find(userId);
    } catch (DatabaseUnavailable e) {
      return Optional.empty();
    }
  }

  boolean enabled() {
    return config.enabled();
  }

  /** The directory is asked last: what it says now holds, whatever happened on the way here. */
  private Optional<Granted> renew(Turn.Taken taken, ClientNetwork network) {
    Optional<UserRecord> found = users.find(taken.userId());
    Optional<UserRecord> user =
        found.filter(known -> !known.disabled() && known.epoch() == taken.epoch());
    if (user.isEmpty()) {
      var _ = table.delete(taken.next());
      return over(found, "revoked", network);
    }
    String outcome = taken.repeated() ? "repeated" : "refreshed";
    meters.refreshed(outcome);
    add(Action.REFRESH, user, outcome, network);
    return Optional.of(grant(user.get(), taken.next().text()));
  }

  private Optional<Granted> over(Optional<UserRecord> user, String why, ClientNetwork network) {
    meters.refreshed(why);
    add(Action.REFRESH, user, why, network);
    return Optional.empty();
  }

  private void add(
      Action action, Optional<UserRecord> user, String outcome, ClientNetwork network) {
    String login = user.map(known -> known.login().text()).orElse(null);
    audit.add(AuditEvent.of(action, login, network.text(), outcome));
  }

  private Granted grant(UserRecord user, String refreshToken) {
    return Granted.of(tokens.issue(user.login().text(), user.groups(), user.epoch()), refreshToken);
  }

  SessionTable table() {
    return table;
  }
}
