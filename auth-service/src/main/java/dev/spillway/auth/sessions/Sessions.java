package dev.spillway.auth.sessions;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.tokens.TokenIssuer;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Grants tokens, once after a login and again for as long as its session lasts. */
@ApplicationScoped
public class Sessions {
  private static final Logger LOG = Logger.getLogger(Sessions.class);

  private final SessionConfig config;
  private final SessionTable table;
  private final UserDirectory users;
  private final TokenIssuer tokens;
  private final SessionMeters meters;

  Sessions(
      SessionConfig config,
      Database database,
      UserDirectory users,
      TokenIssuer tokens,
      SessionMeters meters) {
    this.config = config;
    this.table = new SessionTable(database, config.idle(), config.longest(), config.grace());
    this.users = users;
    this.tokens = tokens;
    this.meters = meters;
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
  Optional<Granted> refresh(RefreshSecret shown) {
    return switch (table.take(shown)) {
      case Turn.Taken taken -> renew(taken);
      case Turn.Unknown() -> over("unknown");
      case Turn.Expired() -> over("expired");
      case Turn.Reused(long userId) -> {
        LOG.warnf("A refresh token of user %d was used a second time; its session is over", userId);
        yield over("reused");
      }
    };
  }

  /** Ends the session of this secret, be it the present one or not. */
  void end(RefreshSecret shown) {
    if (table.delete(shown)) {
      meters.ended();
    }
  }

  boolean enabled() {
    return config.enabled();
  }

  /** The directory is asked last: what it says now holds, whatever happened on the way here. */
  private Optional<Granted> renew(Turn.Taken taken) {
    Optional<UserRecord> user =
        users
            .find(taken.userId())
            .filter(found -> !found.disabled() && found.epoch() == taken.epoch());
    if (user.isEmpty()) {
      table.delete(taken.next());
      return over("revoked");
    }
    meters.refreshed(taken.repeated() ? "repeated" : "refreshed");
    return Optional.of(grant(user.get(), taken.next().text()));
  }

  private Optional<Granted> over(String why) {
    meters.refreshed(why);
    return Optional.empty();
  }

  private Granted grant(UserRecord user, String refreshToken) {
    return Granted.of(tokens.issue(user.login().text(), user.groups()), refreshToken);
  }

  SessionTable table() {
    return table;
  }
}
