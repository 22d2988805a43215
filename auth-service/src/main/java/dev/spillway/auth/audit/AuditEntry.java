package dev.spillway.auth.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Objects;

/**
 * One entry of the audit log, as it is shown and logged.
 *
 * @param id ascending, in the order of writing; null as long as it is not in the table
 * @param time RFC 3339, in UTC, to the millisecond
 * @param login of an account that there is; null where it is keyed, or nobody or many are named
 * @param loginHmac HMAC-SHA-256 of the login in base64url, where it is not shown
 * @param by the admin who did it, named as accounts are; null if the user did
 * @param times how many equal attempts of one batch this stands for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "time", "action", "login", "login_hmac"})
public record AuditEntry(
    Long id,
    String time,
    String action,
    String login,
    @JsonProperty("login_hmac") String loginHmac,
    String by,
    String network,
    String outcome,
    String path,
    int times) {

  /** The same, standing for as many more; nobody's if the other is of another name. */
  AuditEntry plus(AuditEntry other) {
    boolean ofOne =
        Objects.equals(login, other.login) && Objects.equals(loginHmac, other.loginHmac);
    return new AuditEntry(
        id,
        time,
        action,
        ofOne ? login : null,
        ofOne ? loginHmac : null,
        by,
        network,
        outcome,
        path,
        times + other.times);
  }

  /** What makes two entries equal but for their time. */
  AuditEntry withoutTime() {
    return new AuditEntry(null, "", action, login, loginHmac, by, network, outcome, path, 0);
  }

  /** The same, of nobody. */
  AuditEntry withoutName() {
    return new AuditEntry(id, time, action, null, null, by, network, outcome, path, times);
  }

  boolean keyed() {
    return loginHmac != null;
  }
}
