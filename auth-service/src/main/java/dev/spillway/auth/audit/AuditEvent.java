package dev.spillway.auth.audit;

import java.util.Locale;
import java.util.Objects;

/**
 * An event to be written into the audit log.
 *
 * @param login whom it is about, in the normal form if it has one; null if nobody is named
 * @param exists whether there is an account of this login: if not, it may be anything, a password
 *     that was typed into the wrong field too
 * @param actor who did it to them: an admin's login; null if they did it themselves
 * @param network in CIDR notation
 * @param outcome in one or two words, in lower case
 */
public record AuditEvent(
    Action action,
    String login,
    boolean exists,
    String actor,
    String network,
    String outcome,
    Path path) {
  /** As long as a login name may be. What is longer names nobody, and need not be kept whole. */
  static final int LONGEST_LOGIN = 254;

  public AuditEvent {
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(network, "network");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(path, "path");
    login = cut(login);
  }

  /** Without a hash, about an account that there is; null for none. */
  public static AuditEvent of(Action action, String login, String network, String outcome) {
    return new AuditEvent(action, login, login != null, null, network, outcome, Path.NONE);
  }

  static String cut(String login) {
    return login == null || login.length() <= LONGEST_LOGIN
        ? login
        : login.substring(0, LONGEST_LOGIN);
  }

  /** The login may be a password. */
  @Override
  public String toString() {
    return "AuditEvent[%s %s]".formatted(action, outcome);
  }

  /** What was tried. */
  public enum Action {
    LOGIN,
    REFRESH,
    LOGOUT,
    /** The old password, shown by a user who sets a new one. */
    CHANGE_PASSWORD,
    CREATE_USER,
    DELETE_USER,
    SET_PASSWORD,
    SET_DISABLED,
    SET_GROUPS,
    END_SESSIONS,
    UNLOCK_USER,
    IMPORT_USER,
    ROTATE_KEYS,
    SET_SPENDING;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where the hash was computed, if one was. */
  public enum Path {
    POOL,
    SPILL,
    NONE;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
