package dev.spillway.naive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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

  /**
   * @param file more users, a JSON object with {@code login} and {@code hash} on each line
   */
  Users(
      @ConfigProperty(name = "naive.cost", defaultValue = "12") int cost,
      @ConfigProperty(name = "naive.users-file") Optional<Path> file,
      ObjectMapper json)
      throws IOException {
    encoder = new BCryptPasswordEncoder(cost);
    byLogin = new HashMap<>();
    byLogin.put("demo", new User("demo", encoder.encode("demo-password"), Set.of()));
    if (file.isPresent()) {
      for (String line : Files.readAllLines(file.get())) {
        JsonNode user = json.readTree(line);
        String login = user.get("login").asText();
        byLogin.put(login, new User(login, user.get("hash").asText(), Set.of()));
      }
    }
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
