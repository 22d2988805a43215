package dev.spillway.auth.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spillway.auth.tokens.IssuedToken;

/**
 * The answer to a login or refresh, with the field names of RFC 6749, section 5.1.
 *
 * @param refreshToken text of a {@link RefreshSecret}; null where sessions are off
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Granted(
    @JsonProperty("access_token") String accessToken,
    @JsonProperty("token_type") String tokenType,
    @JsonProperty("expires_in") long expiresIn,
    @JsonProperty("refresh_token") String refreshToken) {

  static Granted of(IssuedToken token, String refreshToken) {
    return new Granted(token.jwt(), "Bearer", token.expiresIn().toSeconds(), refreshToken);
  }

  @Override
  public String toString() {
    return "Granted[hidden]";
  }
}
