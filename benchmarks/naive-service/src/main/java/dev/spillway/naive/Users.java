package dev.spillway.naive;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** The user table, in memory: no database slows this service down. */
@Singleton
class Users {
  private final BCryptPasswordEncoder encoder;
  private final Map<String, User> byLogin;

  /** What an unknown login is checked against, so that its answer comes no sooner. */
  private final String decoy;

  Users(@ConfigProperty(name = "naive.cost", defaultValue = "12") int cost) {
    encoder = new BCryptPasswordEncoder(cost);
    byLogin = Map.of("demo", new User("demo", encoder.encode("demo-password"), Set.of()));
    decoy = encoder.encode("nobody");
  }

  /** The user, if the password is right. */
  Optional<User> authenticate(String login, String password) {
    User user = byLogin.get(login);
    boolean right = encoder.matches(password, user == null ? decoy : user.hash());
    return right ? Optional.ofNullable(user) : Optional.empty();
  }

  record User(String login, String hash, Set<String> groups) {}
}
