package dev.spillway.auth.admin;

import dev.spillway.auth.tokens.TokenIssuer;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * Holds an admin's token against the user's row before it is the token of an admin here: a user who
 * was disabled, deleted, taken out of the group or given a new password since is none any more.
 *
 * <p>It is done where a caller is given its role, not by each operation: no operation that asks for
 * the role can leave it out.
 */
@ApplicationScoped
class AdminTokens implements SecurityIdentityAugmentor {
  private final UserDirectory users;

  AdminTokens(UserDirectory users) {
    this.users = users;
  }

  @Override
  public Uni<SecurityIdentity> augment(
      SecurityIdentity identity, AuthenticationRequestContext context) {
    return identity.hasRole(FirstStart.ADMIN_GROUP)
        ? context.runBlocking(() -> checked(identity))
        : Uni.createFrom().item(identity);
  }

  /** For what goes on for long: whether the caller is an admin still. */
  boolean isAdmin(SecurityIdentity identity) {
    return identity.getPrincipal() instanceof JsonWebToken token
        && user(token).filter(user -> good(token, user)).isPresent();
  }

  private SecurityIdentity checked(SecurityIdentity identity) {
    if (isAdmin(identity)) {
      return identity;
    }
    throw new AuthenticationFailedException("what this token says of its user is over");
  }

  private Optional<UserRecord> user(JsonWebToken token) {
    return LoginName.parse(token.getSubject()).flatMap(users::find);
  }

  private static boolean good(JsonWebToken token, UserRecord user) {
    Object epoch = token.getClaim(TokenIssuer.EPOCH);
    return user.isActiveAdmin() && String.valueOf(epoch).equals(Long.toString(user.epoch()));
  }
}
